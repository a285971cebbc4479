import MediaCore

extension MPEGAudioConfiguration {
    /// A frame without any sound: nothing is allocated to a subband, and no granule has main data.
    ///
    /// It says nothing but zeros behind its header (ISO/IEC 11172-3 § 2.4.1.5 to 2.4.1.7).
    var silence: [UInt8]? {
        let version = sampleRate >= 32_000 ? 3 : sampleRate >= 16_000 ? 2 : 0
        let base = sampleRate << (version == 3 ? 0 : version == 2 ? 1 : 2)
        // The lowest rate that every mode may have: layer II forbids some to two channels (§ 2.4.2.3).
        let bitRate = layer == 2 ? 64 : version == 3 ? 32 : 16
        guard let rateIndex = [44_100, 48_000, 32_000].firstIndex(of: base),
            let bitRateIndex = MPEGAudioHeader.bitRates(of: self).firstIndex(of: bitRate)
        else { return nil }
        var writer = BitWriter()
        writer.write(0x7FF, bits: 11)
        writer.write(version, bits: 2)
        writer.write(4 - Int(layer), bits: 2)
        writer.write(true)  // protection_bit: no checksum
        writer.write(bitRateIndex + 1, bits: 4)
        writer.write(rateIndex, bits: 2)
        writer.write(0, bits: 2)  // padding_bit, private_bit
        writer.write(channels == 1 ? 3 : 0, bits: 2)
        writer.write(0, bits: 6)  // mode_extension, copyright, original, emphasis
        let length = samplesPerFrame / 8 * bitRate * 1000 / sampleRate
        return writer.bytes + [UInt8](repeating: 0, count: length - writer.bytes.count)
    }
}
