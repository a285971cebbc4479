import MediaCore

extension EAC3Configuration {
    /// The body of `dec3` (ETSI TS 102 366 § F.6.1, with the extension of ETSI TS 103 420 § C.3.2).
    var dec3Body: [UInt8] {
        var writer = BitWriter()
        writer.write(dataRate, bits: 13)
        writer.write(max(1, independentSubstreams.count) - 1, bits: 3)
        for substream in independentSubstreams {
            writer.write(substream.sampleRateCode, bits: 2)
            writer.write(substream.bitstreamIdentification, bits: 5)
            writer.write(0, bits: 1 + 1)  // reserved, asvc
            writer.write(substream.bitstreamMode, bits: 3)
            writer.write(substream.audioCodingMode, bits: 3)
            writer.write(substream.hasLowFrequencyEffects)
            writer.write(0, bits: 3)
            writer.write(substream.dependentSubstreams, bits: 4)
            writer.write(substream.channelLocations, bits: substream.dependentSubstreams > 0 ? 9 : 1)
        }
        if let jointObjectCodingComplexity {
            writer.write(1, bits: 7 + 1)  // reserved, flag_ec3_extension_type_a
            writer.write(jointObjectCodingComplexity, bits: 8)
        }
        return writer.bytes
    }
}
