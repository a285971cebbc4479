import TestSupport

@testable import Codecs

/// Parameter sets with every branch of the slice header's syntax open to chance, and slices that go with them.
///
/// Headers are written straight from the syntax tables of ISO/IEC 14496-10 § 7.3, so their length is known.
struct SyntheticH264 {
    struct Slice {
        var nalUnit: [UInt8]
        /// Bits of the slice header.
        var bitCount: Int
        /// Bytes from the NAL unit's header byte to the slice header's last one, emulation prevention bytes included.
        var byteCount: Int
    }

    private var generator: SeededGenerator
    let sequenceParameterSet: [UInt8]
    let pictureParameterSet: [UInt8]

    private let pictureID: Int
    private let chromaArrayType: Int
    private let hasSeparatePlanes: Bool
    private let frameNumberBits: Int
    private let orderType: Int
    private let orderBits: Int
    private let deltasAreZero: Bool
    private let width: Int
    private let height: Int
    private let isFramesOnly: Bool
    private let isCABAC: Bool
    private let hasBottomOrder: Bool
    private let changeRate: Int?
    private let references: (Int, Int)
    private let isWeighted: Bool
    private let bipredIDC: Int
    private let hasDeblocking: Bool
    private let hasRedundant: Bool

    init(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        func pick(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
        func toss() -> Bool { Bool.random(using: &generator) }

        let chromaFormat = pick(0...3)
        hasSeparatePlanes = chromaFormat == 3 && toss()
        chromaArrayType = hasSeparatePlanes ? 0 : chromaFormat
        frameNumberBits = pick(4...16)
        orderType = pick(0...2)
        orderBits = pick(4...16)
        deltasAreZero = toss()
        (width, height) = (pick(1...60), pick(1...40))
        isFramesOnly = toss()
        let sequenceID = pick(0...31)
        var sps = BitWriter()
        sps.write(0x67F4_0028, bits: 32)
        sps.writeGolomb(sequenceID)
        sps.writeGolomb(chromaFormat)
        if chromaFormat == 3 { sps.write(hasSeparatePlanes) }
        sps.writeGolomb(0)
        sps.writeGolomb(0)
        sps.write(false)
        let hasScaling = toss()
        sps.write(hasScaling)
        if hasScaling {
            for list in 0..<(chromaFormat == 3 ? 12 : 8) {
                let isPresent = toss()
                sps.write(isPresent)
                guard isPresent else { continue }
                let isDefault = toss()
                if isDefault {
                    sps.writeSignedGolomb(-8)
                } else {
                    for _ in 0..<(list < 6 ? 16 : 64) { sps.writeSignedGolomb(pick(0...1)) }
                }
            }
        }
        sps.writeGolomb(frameNumberBits - 4)
        sps.writeGolomb(orderType)
        if orderType == 0 { sps.writeGolomb(orderBits - 4) }
        if orderType == 1 {
            sps.write(deltasAreZero)
            sps.writeSignedGolomb(pick(-9...9))
            sps.writeSignedGolomb(pick(-9...9))
            let cycle = pick(0...3)
            sps.writeGolomb(cycle)
            for _ in 0..<cycle { sps.writeSignedGolomb(pick(-99...99)) }
        }
        sps.writeGolomb(16)
        sps.write(toss())
        sps.writeGolomb(width - 1)
        sps.writeGolomb(height - 1)
        sps.write(isFramesOnly)
        if !isFramesOnly { sps.write(toss()) }
        sps.write(true)
        sps.write(false)
        sps.write(false)
        sps.writeTrailingBits()
        sequenceParameterSet = sps.bytes.escaped

        pictureID = pick(0...255)
        isCABAC = toss()
        hasBottomOrder = toss()
        references = (pick(1...8), pick(1...8))
        isWeighted = toss()
        bipredIDC = pick(0...2)
        hasDeblocking = toss()
        hasRedundant = toss()
        var pps = BitWriter()
        pps.write(0x68, bits: 8)
        pps.writeGolomb(pictureID)
        pps.writeGolomb(sequenceID)
        pps.write(isCABAC)
        pps.write(hasBottomOrder)
        let mapType = pick(0...6)
        // § 7.4.2.2: map types 3 to 5 have two groups.
        let groups = toss() ? 1 : 3...5 ~= mapType ? 2 : pick(2...8)
        pps.writeGolomb(groups - 1)
        var changeRate: Int?
        if groups > 1 {
            pps.writeGolomb(mapType)
            switch mapType {
            case 0: for _ in 0..<groups { pps.writeGolomb(pick(0...width * height - 1)) }
            case 2:
                for _ in 1..<groups {
                    pps.writeGolomb(0)
                    pps.writeGolomb(pick(0...width * height - 1))
                }
            case 3...5:
                pps.write(toss())
                changeRate = pick(1...width * height)
                pps.writeGolomb(changeRate.map { $0 - 1 } ?? 0)
            case 6:
                pps.writeGolomb(width * height - 1)
                let bits = groups > 4 ? 3 : groups > 2 ? 2 : 1
                for _ in 0..<width * height { pps.write(pick(0...groups - 1), bits: bits) }
            default: break
            }
        }
        self.changeRate = changeRate
        pps.writeGolomb(references.0 - 1)
        pps.writeGolomb(references.1 - 1)
        pps.write(isWeighted)
        pps.write(bipredIDC, bits: 2)
        for _ in 0..<3 { pps.writeSignedGolomb(pick(-9...9)) }
        pps.write(hasDeblocking)
        pps.write(toss())
        pps.write(hasRedundant)
        pps.writeTrailingBits()
        pictureParameterSet = pps.bytes.escaped
        self.generator = generator
    }

    /// A slice of any type with a random header and random data behind it.
    mutating func slice() -> Slice {
        let isIDR = pick(0...3) == 0
        let isReference = isIDR || toss()
        // § 7.4.3: an IDR picture has slices I and SI only.
        let typeCode = isIDR ? [2, 4, 7, 9][pick(0...3)] : pick(0...9)
        let type = typeCode % 5
        let (isP, isB, isI, isSP, isSI) = (type == 0, type == 1, type == 2, type == 3, type == 4)
        var bits = BitWriter()
        bits.write((isReference ? 0x60 : 0) | (isIDR ? 5 : 1), bits: 8)
        bits.writeGolomb(pick(0...width * height - 1))
        bits.writeGolomb(typeCode)
        bits.writeGolomb(pictureID)
        if hasSeparatePlanes { bits.write(pick(0...2), bits: 2) }
        // Zeros make emulation prevention bytes.
        bits.write(toss() ? 0 : pick(0...(1 << frameNumberBits) - 1), bits: frameNumberBits)
        var isField = false
        if !isFramesOnly {
            isField = toss()
            bits.write(isField)
            if isField { bits.write(toss()) }
        }
        if isIDR { bits.writeGolomb(pick(0...65_535)) }
        if orderType == 0 {
            bits.write(toss() ? 0 : pick(0...(1 << orderBits) - 1), bits: orderBits)
            if hasBottomOrder, !isField { bits.writeSignedGolomb(pick(-9...9)) }
        }
        if orderType == 1, !deltasAreZero {
            bits.writeSignedGolomb(pick(-99...99))
            if hasBottomOrder, !isField { bits.writeSignedGolomb(pick(-99...99)) }
        }
        if hasRedundant { bits.writeGolomb(pick(0...127)) }
        if isB { bits.write(toss()) }
        var (list0, list1) = references
        if isP || isSP || isB {
            let overrides = toss()
            bits.write(overrides)
            if overrides {
                list0 = pick(1...(isField ? 32 : 16))
                bits.writeGolomb(list0 - 1)
                if isB {
                    list1 = pick(1...(isField ? 32 : 16))
                    bits.writeGolomb(list1 - 1)
                }
            }
            for _ in 0..<(isB ? 2 : 1) { writeModification(to: &bits) }
        }
        if isWeighted && (isP || isSP) || bipredIDC == 1 && isB {
            writeWeights(count: isB ? list0 + list1 : list0, to: &bits)
        }
        if isReference { writeMarking(isIDR: isIDR, to: &bits) }
        if isCABAC, !isI, !isSI { bits.writeGolomb(pick(0...2)) }
        bits.writeSignedGolomb(pick(-10...10))
        if isSP { bits.write(toss()) }
        if isSP || isSI { bits.writeSignedGolomb(pick(-9...9)) }
        if hasDeblocking {
            let control = pick(0...2)
            bits.writeGolomb(control)
            if control != 1 {
                bits.writeSignedGolomb(pick(-6...6))
                bits.writeSignedGolomb(pick(-6...6))
            }
        }
        if let changeRate {
            let cycles = (width * height + changeRate - 1) / changeRate
            var size = 0
            while 1 << size < cycles + 1 { size += 1 }
            bits.write(pick(0...cycles), bits: size)
        }
        let bitCount = bits.bitCount - 8
        let headerBytes = (bits.bitCount + 7) / 8
        while bits.bitCount % 8 != 0 { bits.write(true) }
        let data = bits.bytes + generator.bytes(pick(1...40)) + [0x80]
        return Slice(
            nalUnit: data.escaped,
            bitCount: bitCount,
            byteCount: Array(data.prefix(headerBytes)).escaped.count
        )
    }

    private mutating func writeModification(to bits: inout BitWriter) {
        let isModified = toss()
        bits.write(isModified)
        guard isModified else { return }
        for _ in 0..<pick(1...4) {
            bits.writeGolomb(pick(0...2))
            bits.writeGolomb(pick(0...15))
        }
        bits.writeGolomb(3)
    }

    private mutating func writeWeights(count: Int, to bits: inout BitWriter) {
        bits.writeGolomb(pick(0...7))
        if chromaArrayType != 0 { bits.writeGolomb(pick(0...7)) }
        for _ in 0..<count {
            let hasLuma = toss()
            bits.write(hasLuma)
            if hasLuma { for _ in 0..<2 { bits.writeSignedGolomb(pick(-128...127)) } }
            guard chromaArrayType != 0 else { continue }
            let hasChroma = toss()
            bits.write(hasChroma)
            if hasChroma { for _ in 0..<4 { bits.writeSignedGolomb(pick(-128...127)) } }
        }
    }

    private mutating func writeMarking(isIDR: Bool, to bits: inout BitWriter) {
        if isIDR {
            bits.write(pick(0...3), bits: 2)
            return
        }
        let isAdaptive = toss()
        bits.write(isAdaptive)
        guard isAdaptive else { return }
        for _ in 0..<pick(0...5) {
            let operation = pick(1...6)
            bits.writeGolomb(operation)
            if operation != 5 { bits.writeGolomb(pick(0...15)) }
            if operation == 3 { bits.writeGolomb(pick(0...15)) }
        }
        bits.writeGolomb(0)
    }

    private mutating func pick(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
    private mutating func toss() -> Bool { Bool.random(using: &generator) }
}

extension BitWriter {
    mutating func writeGolomb(_ number: Int) {
        let bits = Int.bitWidth - (number + 1).leadingZeroBitCount
        write(0, bits: bits - 1)
        write(number + 1, bits: bits)
    }

    mutating func writeSignedGolomb(_ number: Int) {
        writeGolomb(number > 0 ? 2 * number - 1 : -2 * number)
    }

    mutating func writeTrailingBits() {
        write(true)
        alignToByte()
    }
}
