import MediaCore

extension AC3Configuration {
    /// The start of a syncframe with this configuration, which SAMPLE-AES takes for a description of the stream: ten
    /// bytes, its checksum and all that is not configuration left zero.
    var syncframeStart: [UInt8]? {
        syncframeHeader.map { Array(($0.bytes + [UInt8](repeating: 0, count: 10)).prefix(10)) }
    }

    /// syncinfo() and bsi() (ETSI TS 102 366 § 4.3.1, 4.3.2); nil if a field is out of its range.
    var syncframeHeader: BitWriter? {
        guard sampleRateCode < 3, DolbySyncframe.bitRates.indices.contains(Int(bitRateCode)),
            bitstreamIdentification <= 8
        else { return nil }
        var writer = BitWriter()
        writer.write(0x0B77, bits: 16)
        writer.write(0, bits: 16)  // crc1
        writer.write(sampleRateCode, bits: 2)
        writer.write(bitRateCode * 2, bits: 6)
        writer.write(bitstreamIdentification, bits: 5)
        writer.write(bitstreamMode, bits: 3)
        writer.write(audioCodingMode, bits: 3)
        if audioCodingMode & 1 != 0, audioCodingMode != 1 { writer.write(0, bits: 2) }  // cmixlev
        if audioCodingMode & 4 != 0 { writer.write(0, bits: 2) }  // surmixlev
        if audioCodingMode == 2 { writer.write(0, bits: 2) }  // dsurmod
        writer.write(hasLowFrequencyEffects)
        // dialnorm, compre, langcode, audprodie
        for _ in 0..<(audioCodingMode == 0 ? 2 : 1) { writer.write(31 << 3, bits: 8) }
        writer.write(0, bits: 5)  // copyrightb, origbs, timecod1e, timecod2e, addbsie
        return writer
    }
}
