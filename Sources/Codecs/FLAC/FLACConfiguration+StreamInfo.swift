package import MediaCore

extension FLACConfiguration {
    /// Reads a STREAMINFO block (RFC 9639 § 8.2), with or without the metadata block's header, and behind the marker
    /// of a file or the version and flags of a `dfLa` box.
    ///
    /// - Throws: ``CodecError`` if it is cut short, or has a value that is forbidden.
    package init(header bytes: [UInt8]) throws(CodecError) {
        var block = bytes[...]
        if block.count > 34 {
            if block.starts(with: "fLaC".utf8) || block.starts(with: [0, 0, 0, 0]) && block.count >= 42 {
                block = block.dropFirst(4)
            }
            // § 8.1: whether it is the last block, its type and its length.
            guard let first = block.first, first & 0x7F == 0, block.dropFirst().starts(with: [0, 0, 34]) else {
                throw .invalid("FLAC metadata block")
            }
            block = block.dropFirst(4)
        }
        guard block.count >= 34 else { throw .truncated }
        let streamInfo = [UInt8](block.prefix(34))
        var reader = BitReader(streamInfo.span.bytes)
        let shortest = try reader.read(16)
        let longest = try reader.read(16)
        try reader.skip(24 + 24)  // least and greatest frame size
        let sampleRate = Int(try reader.read(20))
        let channels = Int(try reader.read(3)) + 1
        let bitsPerSample = Int(try reader.read(5)) + 1
        guard longest >= 16, longest >= shortest else { throw .invalid("FLAC block size") }
        guard sampleRate > 0 else { throw .invalid("FLAC sample rate") }
        guard bitsPerSample >= 4 else { throw .invalid("FLAC bits per sample") }
        self.init(
            streamInfo: streamInfo,
            sampleRate: sampleRate,
            channels: channels,
            bitsPerSample: bitsPerSample,
            samplesPerFrame: Int(longest)
        )
    }

    /// A frame of the longest block in which every channel is constant zero (RFC 9639 § 9).
    ///
    /// Its number is 0: decoders of a container's frames do not count them.
    var silence: [UInt8] {
        var writer = BitWriter()
        writer.write(0xFFF8, bits: 16)  // sync code, blocks of a fixed size
        writer.write(7, bits: 4)  // block size: 16 bits at the end of the header
        writer.write(0, bits: 4)  // sample rate: as in STREAMINFO
        writer.write(channels - 1, bits: 4)
        writer.write(0, bits: 4)  // bits per sample: as in STREAMINFO; reserved
        writer.write(0, bits: 8)  // coded number
        writer.write(samplesPerFrame - 1, bits: 16)
        writer.write(CyclicRedundancyCheck.ofFLACHeader.checksum(writer.bytes), bits: 8)
        for _ in 0..<channels {
            writer.write(0, bits: 8)  // § 9.2.1: constant, no wasted bits
            writer.write(0, bits: bitsPerSample)
        }
        writer.alignToByte()
        writer.write(CyclicRedundancyCheck.of16Bits.checksum(writer.bytes), bits: 16)
        return writer.bytes
    }
}
