// The optional parts of bsi() of Enhanced AC-3 (ETSI TS 102 366 § E.1.2.2), on the way to its end.
extension DolbySyncframe {
    /// Skips the fields after mixmdate.
    func skipMixing(_ reader: inout BitReader, blockCode: Int) throws(CodecError) {
        let hasSurround = audioCodingMode & 4 != 0
        if audioCodingMode > 2 { try reader.skip(2) }  // dmixmod
        if audioCodingMode & 1 != 0, audioCodingMode > 2 { try reader.skip(6) }  // ltrtcmixlev, lorocmixlev
        if hasSurround { try reader.skip(6) }  // ltrtsurmixlev, lorosurmixlev
        if hasLowFrequencyEffects, try reader.readFlag() { try reader.skip(5) }  // lfemixlevcod
        guard kind == .independent else { return }
        let programs = audioCodingMode == 0 ? 2 : 1
        // pgmscl, pgmscl2, extpgmscl
        for _ in 0..<programs + 1 where try reader.readFlag() { try reader.skip(6) }
        switch try reader.read(2) {  // mixdef
        case 1: try reader.skip(5)
        case 2: try reader.skip(12)
        case 3: try reader.skip((Int(try reader.read(5)) + 2) * 8)
        default: break
        }
        if audioCodingMode < 2 {
            for _ in 0..<programs where try reader.readFlag() { try reader.skip(14) }  // panmean, paninfo
        }
        guard try reader.readFlag() else { return }  // frmmixcfginfoe
        if blockCode == 0 {
            try reader.skip(5)
        } else {
            for _ in 0..<blocks where try reader.readFlag() { try reader.skip(5) }  // blkmixcfginfo
        }
    }

    /// Reads the fields after infomdate.
    mutating func readInformation(_ reader: inout BitReader) throws(CodecError) {
        bitstreamMode = UInt8(try reader.read(3))
        try reader.skip(2)  // copyrightb, origbs
        if audioCodingMode == 2 { try reader.skip(4) }  // dsurmod, dheadphonmod
        if audioCodingMode >= 6 { try reader.skip(2) }  // dsurexmod
        for _ in 0..<(audioCodingMode == 0 ? 2 : 1) where try reader.readFlag() { try reader.skip(8) }  // audprodi
        try reader.skip(1)  // sourcefscod
    }

    /// addbsi as ETSI TS 103 420 § 8.3.1 lays it out: seven reserved bits, the flag of extension type A and its
    /// complexity index.
    mutating func readAdditional(_ reader: inout BitReader) throws(CodecError) {
        let length = Int(try reader.read(6)) + 1
        try reader.skip(7)
        if try reader.readFlag(), length >= 2 {
            let complexity = UInt8(try reader.read(8))
            // § 8.3.2.2: 16 at most.
            if 1...16 ~= complexity { jointObjectCodingComplexity = complexity }
        }
    }
}
