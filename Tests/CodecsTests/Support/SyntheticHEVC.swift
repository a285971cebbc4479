import TestSupport

@testable import Codecs

/// Parameter sets with every branch of the slice segment header's syntax open to chance, and slice segments that go with
/// them.
///
/// Headers are written straight from the syntax tables of ISO/IEC 23008-2 § 7.3, so their length is known; values keep to
/// their semantics, so that FFmpeg reads them as well.
struct SyntheticHEVC {
    var generator: SeededGenerator
    let videoParameterSet: [UInt8]
    private(set) var sequenceParameterSet: [UInt8] = []
    private(set) var pictureParameterSet: [UInt8] = []

    // What slice segments depend on.
    let hasScreenContent: Bool
    let pictureID: Int
    let sequenceID: Int
    var chromaFormat = 1
    var hasSeparatePlanes = false
    var bitDepth = 8
    /// Width and height in coding tree blocks.
    var blocks = (1, 1)
    var orderBits = 4
    var hasSAO = false
    var shortTerm = ReferenceSets()
    var longTerm: [Bool]?
    var hasTemporalMotionVectors = false
    var hasIntegerMotionVectorFlag = false

    var hasDependentSlices = false
    var hasOutputFlag = false
    var extraBits = 0
    var hasCABACInit = false
    var references = (1, 1)
    var initialQP = 0
    var hasChromaOffsets = false
    var (isWeighted, isBiweighted) = (false, false)
    var tiles = (1, 1)
    var hasWavefronts = false
    var filtersAcrossSlices = false
    var (hasDeblockingOverride, isDeblockingDisabled) = (false, false)
    var hasListModification = false
    var hasHeaderExtension = false
    var hasChromaOffsetList = false
    var refersToItself = false
    var hasColourTransformOffsets = false

    var chromaArrayType: Int { hasSeparatePlanes ? 0 : chromaFormat }

    /// - Parameters:
    ///   - seed: Of chance.
    ///   - hasScreenContent: Whether there are the extensions for screen content, which FFmpeg 5.1 does not know.
    init(seed: UInt64, hasScreenContent: Bool) {
        generator = SeededGenerator(seed: seed)
        self.hasScreenContent = hasScreenContent
        sequenceID = .random(in: 0...15, using: &generator)
        pictureID = .random(in: 0...63, using: &generator)
        var vps = BitWriter(nalUnitType: 32)
        vps.write(0b0000_11_000000_000_1, bits: 16)
        vps.write(0xFFFF, bits: 16)
        vps.writeProfile()
        vps.write(true)
        for number in [15, 2, 0] { vps.writeGolomb(number) }
        vps.write(0, bits: 6)
        vps.writeGolomb(0)
        vps.write(0, bits: 2)
        vps.writeTrailingBits()
        videoParameterSet = vps.bytes.escaped
        sequenceParameterSet = makeSequenceParameterSet()
        pictureParameterSet = makePictureParameterSet()
    }

    private mutating func makeSequenceParameterSet() -> [UInt8] {
        var sps = BitWriter(nalUnitType: 33)
        sps.write(0b0000_000_1, bits: 8)
        sps.writeProfile()
        sps.writeGolomb(sequenceID)
        chromaFormat = pick(0...3)
        sps.writeGolomb(chromaFormat)
        if chromaFormat == 3 {
            hasSeparatePlanes = toss()
            sps.write(hasSeparatePlanes)
        }
        let blockBits = pick(4...6)
        blocks = (pick(1...12), pick(1...12))
        sps.writeGolomb(blocks.0 << blockBits - pick(0...1) * 8)
        sps.writeGolomb(blocks.1 << blockBits - pick(0...1) * 8)
        sps.write(false)
        bitDepth = [8, 9, 10, 12][pick(0...3)]
        for _ in 0..<2 { sps.writeGolomb(bitDepth - 8) }
        orderBits = pick(4...16)
        sps.writeGolomb(orderBits - 4)
        sps.write(true)
        for number in [15, 2, 0] { sps.writeGolomb(number) }
        for number in [0, blockBits - 3, 0, min(blockBits, 5) - 2, 0, 0] { sps.writeGolomb(number) }
        let hasScalingLists = toss()
        sps.write(hasScalingLists)
        if hasScalingLists { writeScalingLists(to: &sps) }
        sps.write(toss())
        hasSAO = toss()
        sps.write(hasSAO)
        let hasPCM = toss()
        sps.write(hasPCM)
        if hasPCM {
            sps.write(0x77, bits: 8)
            for _ in 0..<2 { sps.writeGolomb(0) }
            sps.write(toss())
        }
        let sets = pick(0...10)
        sps.writeGolomb(sets)
        for _ in 0..<sets { _ = shortTerm.writeNext(to: &sps, isInSlice: false, &generator) }
        let hasLongTerm = toss()
        sps.write(hasLongTerm)
        if hasLongTerm {
            longTerm = (0..<pick(0...4)).map { _ in toss() }
            sps.writeGolomb(longTerm?.count ?? 0)
            for isUsed in longTerm ?? [] {
                sps.write(pick(0...(1 << orderBits) - 1), bits: orderBits)
                sps.write(isUsed)
            }
        }
        hasTemporalMotionVectors = toss()
        sps.write(hasTemporalMotionVectors)
        sps.write(toss())
        sps.write(false)  // vui_parameters_present_flag
        let hasExtensions = toss() || hasScreenContent
        sps.write(hasExtensions)
        if hasExtensions {
            let hasRange = toss()
            sps.write(hasRange)
            sps.write(0, bits: 2)
            sps.write(hasScreenContent)
            sps.write(0, bits: 4)
            if hasRange { sps.write(pick(0...511), bits: 9) }
            if hasScreenContent { writeScreenContent(to: &sps) }
        }
        sps.writeTrailingBits()
        return sps.bytes.escaped
    }

    private mutating func writeScreenContent(to sps: inout BitWriter) {
        sps.write(toss())
        let hasPalette = toss()
        sps.write(hasPalette)
        if hasPalette {
            for _ in 0..<2 { sps.writeGolomb(pick(0...64)) }
            let isInitialized = toss()
            sps.write(isInitialized)
            if isInitialized {
                let entries = pick(1...5)
                sps.writeGolomb(entries - 1)
                for _ in 0..<entries * (chromaFormat == 0 ? 1 : 3) { sps.write(1, bits: bitDepth) }
            }
        }
        let resolution = pick(0...2)
        hasIntegerMotionVectorFlag = resolution == 2
        sps.write(resolution, bits: 2)
        sps.write(toss())
    }

    private mutating func writeScalingLists(to bits: inout BitWriter) {
        let isPresent = toss()
        bits.write(isPresent)
        if isPresent { writeScalingListData(to: &bits) }
    }

    mutating func writeScalingListData(to bits: inout BitWriter) {
        for size in 0..<4 {
            for matrix in stride(from: 0, to: 6, by: size == 3 ? 3 : 1) {
                let isCoded = toss()
                bits.write(isCoded)
                guard isCoded else {
                    bits.writeGolomb(pick(0...(size == 3 ? matrix / 3 : matrix)))
                    continue
                }
                if size > 1 { bits.writeSignedGolomb(pick(-7...7)) }
                for _ in 0..<[16, 64, 64, 64][size] { bits.writeSignedGolomb(pick(-9...9)) }
            }
        }
    }

    mutating func pick(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
    mutating func toss() -> Bool { Bool.random(using: &generator) }
}

extension BitWriter {
    init(nalUnitType: Int) {
        self.init()
        write(nalUnitType << 9 | 1, bits: 16)
    }

    /// profile_tier_level() of Main at level 4.
    mutating func writeProfile() {
        write(0x01, bits: 8)
        write(0x6000_0000, bits: 32)
        write(0x9000, bits: 16)
        write(0, bits: 32)
        write(120, bits: 8)
    }
}
