import Codecs

extension SyntheticHEVC {
    mutating func makePictureParameterSet() -> [UInt8] {
        var pps = BitWriter(nalUnitType: 34)
        pps.writeGolomb(pictureID)
        pps.writeGolomb(sequenceID)
        (hasDependentSlices, hasOutputFlag, extraBits) = (toss(), toss(), pick(0...2))
        pps.write(hasDependentSlices)
        pps.write(hasOutputFlag)
        pps.write(extraBits, bits: 3)
        pps.write(toss())
        hasCABACInit = toss()
        pps.write(hasCABACInit)
        references = (pick(1...15), pick(1...15))
        pps.writeGolomb(references.0 - 1)
        pps.writeGolomb(references.1 - 1)
        initialQP = pick(-26...25)
        pps.writeSignedGolomb(initialQP)
        pps.write(toss())
        let skipsTransforms = toss()
        pps.write(skipsTransforms)
        let hasDepth = toss()
        pps.write(hasDepth)
        if hasDepth { pps.writeGolomb(1) }
        for _ in 0..<2 { pps.writeSignedGolomb(pick(-12...12)) }
        (hasChromaOffsets, isWeighted, isBiweighted) = (toss(), toss(), toss())
        for flag in [hasChromaOffsets, isWeighted, isBiweighted, toss()] { pps.write(flag) }
        writeTiles(to: &pps)
        filtersAcrossSlices = toss()
        pps.write(filtersAcrossSlices)
        let hasDeblocking = toss()
        pps.write(hasDeblocking)
        if hasDeblocking {
            (hasDeblockingOverride, isDeblockingDisabled) = (toss(), toss())
            pps.write(hasDeblockingOverride)
            pps.write(isDeblockingDisabled)
            if !isDeblockingDisabled { for _ in 0..<2 { pps.writeSignedGolomb(pick(-6...6)) } }
        }
        let hasScalingLists = toss()
        pps.write(hasScalingLists)
        if hasScalingLists { writeScalingListData(to: &pps) }
        hasListModification = toss()
        pps.write(hasListModification)
        pps.writeGolomb(pick(0...2))
        hasHeaderExtension = toss()
        pps.write(hasHeaderExtension)
        let hasExtensions = toss() || hasScreenContent
        pps.write(hasExtensions)
        if hasExtensions { writeExtensions(to: &pps, skipsTransforms: skipsTransforms) }
        pps.writeTrailingBits()
        return pps.bytes.escaped
    }

    private mutating func writeTiles(to pps: inout BitWriter) {
        if toss() { tiles = (pick(1...blocks.0), pick(1...blocks.1)) }
        let hasTiles = tiles != (1, 1)
        hasWavefronts = toss()
        pps.write(hasTiles)
        pps.write(hasWavefronts)
        guard hasTiles else { return }
        pps.writeGolomb(tiles.0 - 1)
        pps.writeGolomb(tiles.1 - 1)
        let isUniform = toss()
        pps.write(isUniform)
        if !isUniform { for _ in 0..<tiles.0 + tiles.1 - 2 { pps.writeGolomb(0) } }
        pps.write(toss())
    }

    private mutating func writeExtensions(to pps: inout BitWriter, skipsTransforms: Bool) {
        let hasRange = toss()
        pps.write(hasRange)
        pps.write(0, bits: 2)
        pps.write(hasScreenContent)
        pps.write(0, bits: 4)
        if hasRange {
            if skipsTransforms { pps.writeGolomb(1) }
            pps.write(chromaFormat == 3 && toss())
            hasChromaOffsetList = chromaFormat != 0 && toss()
            pps.write(hasChromaOffsetList)
            if hasChromaOffsetList {
                pps.writeGolomb(0)
                let entries = pick(1...6)
                pps.writeGolomb(entries - 1)
                for _ in 0..<2 * entries { pps.writeSignedGolomb(pick(-12...12)) }
            }
            for _ in 0..<2 { pps.writeGolomb(0) }
        }
        guard hasScreenContent else { return }
        refersToItself = toss()
        pps.write(refersToItself)
        let hasColourTransform = toss()
        pps.write(hasColourTransform)
        if hasColourTransform {
            hasColourTransformOffsets = toss()
            pps.write(hasColourTransformOffsets)
            for _ in 0..<3 { pps.writeSignedGolomb(pick(-5...5)) }
        }
        pps.write(false)
    }
}
