import MediaCore

/// Takes Apple Lossless packets as they come, each a frame.
struct ALACFrameReader: AudioFrameReader {
    let configuration: ALACConfiguration
    private var isReported = false

    var codecConfiguration: CodecConfiguration? { .alac(configuration) }

    /// - Parameter header: An ALACSpecificConfig, bare or in its box.
    /// - Throws: ``CodecError`` if it cannot be read.
    init(header: [UInt8]) throws(CodecError) {
        configuration = try ALACConfiguration(header: header)
    }

    mutating func read(_ payload: RawSpan) throws(CodecError) -> AudioFrames {
        var result = AudioFrames()
        result.frames.append(AudioFrame(copying: payload, samples: try samples(payload)))
        result.configurationChanged = !isReported
        isReported = true
        return result
    }

    /// The number of samples by the first element: all have the same length.
    private func samples(_ bytes: RawSpan) throws(CodecError) -> Int {
        var reader = BitReader(bytes)
        guard [0, 1, 3].contains(try reader.read(3)) else { throw .unsupported("ALAC element") }
        try reader.skip(4 + 12)  // element instance tag, unused
        let isPartial = try reader.readFlag()
        try reader.skip(3)  // bytes shifted off, escape flag
        guard isPartial else { return configuration.samplesPerFrame }
        let samples = Int(try reader.read(32))
        guard 1...configuration.samplesPerFrame ~= samples else { throw .invalid("ALAC sample count") }
        return samples
    }
}
