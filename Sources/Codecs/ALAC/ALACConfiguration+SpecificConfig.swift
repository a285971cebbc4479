package import MediaCore

extension ALACConfiguration {
    /// Reads an ALACSpecificConfig, bare or in the `alac` box that libavformat hands over.
    ///
    /// - Throws: ``CodecError`` if it is cut short, or has a value that is forbidden.
    package init(header bytes: [UInt8]) throws(CodecError) {
        // Size, type, version and flags of the box.
        let isBox = bytes.count >= 36 && bytes[4..<8].elementsEqual("alac".utf8)
        let specificConfig = [UInt8](bytes.dropFirst(isBox ? 12 : 0))
        var reader = BitReader(specificConfig.span.bytes)
        let frameLength = Int(try reader.read(32))
        guard try reader.read(8) == 0 else { throw .unsupported("ALAC of another version") }
        let bitDepth = Int(try reader.read(8))
        try reader.skip(3 * 8)  // pb, mb, kb
        let channels = Int(try reader.read(8))
        try reader.skip(16 + 32 + 32)  // maxRun, maxFrameBytes, avgBitRate
        let sampleRate = Int(try reader.read(32))
        guard 16...1 << 16 ~= frameLength else { throw .invalid("ALAC frame length") }
        guard [16, 20, 24, 32].contains(bitDepth) else { throw .invalid("ALAC bit depth") }
        guard 1...8 ~= channels else { throw .invalid("ALAC channel count") }
        guard 1...768_000 ~= sampleRate else { throw .invalid("ALAC sample rate") }
        self.init(
            specificConfig: specificConfig,
            sampleRate: sampleRate,
            channels: channels,
            bitsPerSample: bitDepth,
            samplesPerFrame: frameLength
        )
    }
}
