import TestSupport

@testable import Codecs

extension SyntheticHEVC {
    struct Slice {
        var nalUnit: [UInt8]
        /// Bits of the slice segment header ahead of its alignment.
        var bitCount: Int
        /// Bytes from the NAL unit's header to the slice segment header's last one, emulation prevention bytes included.
        var byteCount: Int
    }

    /// A slice segment of any type with a random header and random data behind it.
    mutating func slice(isFirst: Bool) -> Slice {
        let type = [0, 1, 8, 9, 16, 19, 20, 21][pick(0...7)]
        var bits = BitWriter(nalUnitType: type)
        bits.write(isFirst)
        if type >= 16 { bits.write(toss()) }
        bits.writeGolomb(pictureID)
        var isDependent = false
        let count = blocks.0 * blocks.1
        if !isFirst {
            if hasDependentSlices {
                isDependent = toss()
                bits.write(isDependent)
            }
            bits.write(pick(min(1, count - 1)...count - 1), bits: Self.bitsToHold(count))
        }
        if !isDependent { writeIndependentPart(isIDR: type == 19 || type == 20, isIntra: type >= 16, to: &bits) }
        if tiles != (1, 1) || hasWavefronts { writeEntryPoints(to: &bits) }
        if hasHeaderExtension {
            let length = pick(0...6)
            bits.writeGolomb(length)
            for _ in 0..<length { bits.write(0, bits: 8) }
        }
        let bitCount = bits.bitCount - 16
        bits.writeTrailingBits()
        let data = bits.bytes + generator.bytes(pick(1...40)) + [0x80]
        return Slice(nalUnit: data.escaped, bitCount: bitCount, byteCount: data.escapedCount(of: bits.bytes.count))
    }

    private mutating func writeIndependentPart(isIDR: Bool, isIntra: Bool, to bits: inout BitWriter) {
        bits.write(pick(0...3), bits: extraBits)
        var sliceType = isIntra ? 2 : pick(0...2)
        var usable = refersToItself ? 1 : 0
        // Written once it is known whether there is anything to refer to.
        var rest = BitWriter()
        if hasOutputFlag { rest.write(toss()) }
        if hasSeparatePlanes { rest.write(pick(0...2), bits: 2) }
        var hasTemporal = false
        if !isIDR {
            usable += writeReferencePictures(to: &rest)
            if hasTemporalMotionVectors {
                hasTemporal = toss()
                rest.write(hasTemporal)
            }
        }
        // § 7.4.7.1: without references there are slices I only.
        if usable == 0 { sliceType = 2 }
        bits.writeGolomb(sliceType)
        bits.append(rest)
        var (lumaSAO, chromaSAO) = (false, false)
        if hasSAO {
            lumaSAO = toss()
            bits.write(lumaSAO)
            if chromaArrayType != 0 {
                chromaSAO = toss()
                bits.write(chromaSAO)
            }
        }
        if sliceType != 2 { writePrediction(isB: sliceType == 0, usable: usable, hasTemporal: hasTemporal, to: &bits) }
        bits.writeSignedGolomb(pick(0...51) - 26 - initialQP)
        if hasChromaOffsets { for _ in 0..<2 { bits.writeSignedGolomb(0) } }
        if hasColourTransformOffsets { for _ in 0..<3 { bits.writeSignedGolomb(pick(-5...5)) } }
        if hasChromaOffsetList { bits.write(toss()) }
        var isDisabled = isDeblockingDisabled
        if hasDeblockingOverride {
            let overrides = toss()
            bits.write(overrides)
            if overrides {
                isDisabled = toss()
                bits.write(isDisabled)
                if !isDisabled { for _ in 0..<2 { bits.writeSignedGolomb(pick(-6...6)) } }
            }
        }
        if filtersAcrossSlices, lumaSAO || chromaSAO || !isDisabled { bits.write(toss()) }
    }

    /// Writes slice_pic_order_cnt_lsb to the long-term reference pictures.
    ///
    /// - Returns: How many of them the picture may refer to.
    private mutating func writeReferencePictures(to bits: inout BitWriter) -> Int {
        // Zeros make emulation prevention bytes.
        bits.write(toss() ? 0 : pick(0...(1 << orderBits) - 1), bits: orderBits)
        var usable = 0
        let isOfSequence = toss() && !shortTerm.sets.isEmpty
        bits.write(isOfSequence)
        if isOfSequence {
            let index = pick(0...shortTerm.sets.count - 1)
            bits.write(index, bits: Self.bitsToHold(shortTerm.sets.count))
            usable += shortTerm.sets[index].count { $0.isUsed }
        } else {
            var sets = shortTerm
            usable += sets.writeNext(to: &bits, isInSlice: true, &generator)
        }
        guard let longTerm else { return usable }
        let named = longTerm.isEmpty ? 0 : pick(0...longTerm.count)
        if !longTerm.isEmpty { bits.writeGolomb(named) }
        let others = pick(0...2)
        bits.writeGolomb(others)
        for number in 0..<named + others {
            if number < named {
                let index = pick(0...longTerm.count - 1)
                bits.write(index, bits: Self.bitsToHold(longTerm.count))
                if longTerm[index] { usable += 1 }
            } else {
                bits.write(pick(0...(1 << orderBits) - 1), bits: orderBits)
                let isUsed = toss()
                bits.write(isUsed)
                if isUsed { usable += 1 }
            }
            let hasCycle = toss()
            bits.write(hasCycle)
            if hasCycle { bits.writeGolomb(pick(0...9)) }
        }
        return usable
    }

    private mutating func writePrediction(isB: Bool, usable: Int, hasTemporal: Bool, to bits: inout BitWriter) {
        var (list0, list1) = references
        let overrides = toss()
        bits.write(overrides)
        if overrides {
            list0 = pick(1...15)
            bits.writeGolomb(list0 - 1)
            if isB {
                list1 = pick(1...15)
                bits.writeGolomb(list1 - 1)
            }
        }
        if hasListModification, usable > 1 {
            for count in isB ? [list0, list1] : [list0] {
                let isModified = toss()
                bits.write(isModified)
                guard isModified else { continue }
                for _ in 0..<count { bits.write(pick(0...usable - 1), bits: Self.bitsToHold(usable)) }
            }
        }
        if isB { bits.write(toss()) }
        if hasCABACInit { bits.write(toss()) }
        if hasTemporal {
            let isFromList0 = !isB || toss()
            if isB { bits.write(isFromList0) }
            let count = isFromList0 ? list0 : list1
            if count > 1 { bits.writeGolomb(pick(0...count - 1)) }
        }
        if isB ? isBiweighted : isWeighted { writeWeights(isB ? [list0, list1] : [list0], to: &bits) }
        bits.writeGolomb(pick(0...4))
        if hasIntegerMotionVectorFlag { bits.write(toss()) }
    }

    private mutating func writeWeights(_ lists: [Int], to bits: inout BitWriter) {
        let hasChroma = chromaArrayType != 0
        bits.writeGolomb(3)
        if hasChroma { bits.writeSignedGolomb(pick(-3...4)) }
        for count in lists {
            let luma = (0..<count).map { _ in toss() }
            for flag in luma { bits.write(flag) }
            let chroma = (0..<count).map { _ in hasChroma && toss() }
            if hasChroma { for flag in chroma { bits.write(flag) } }
            for index in 0..<count {
                if luma[index] { for _ in 0..<2 { bits.writeSignedGolomb(pick(-127...127)) } }
                if chroma[index] { for _ in 0..<4 { bits.writeSignedGolomb(pick(-127...127)) } }
            }
        }
    }

    private mutating func writeEntryPoints(to bits: inout BitWriter) {
        // § 7.4.7.1: as many as tiles, rows of blocks, or rows of blocks of every column of tiles.
        let most = hasWavefronts ? tiles.0 * blocks.1 : tiles.0 * tiles.1
        let count = pick(0...most - 1)
        bits.writeGolomb(count)
        guard count > 0 else { return }
        let size = pick(1...32)
        bits.writeGolomb(size - 1)
        for _ in 0..<count { bits.write(toss() ? 0 : 1, bits: size) }
    }

    private static func bitsToHold(_ count: Int) -> Int {
        var bits = 0
        while 1 << bits < count { bits += 1 }
        return bits
    }
}

extension BitWriter {
    mutating func append(_ other: BitWriter) {
        for index in 0..<other.bitCount { write(other.bytes[index / 8] >> UInt8(7 - index % 8) & 1, bits: 1) }
    }
}
