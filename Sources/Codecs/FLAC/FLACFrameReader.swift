import MediaCore

/// Takes FLAC frames as they come, one a packet.
struct FLACFrameReader: AudioFrameReader {
    let configuration: FLACConfiguration
    private var isReported = false

    var codecConfiguration: CodecConfiguration? { .flac(configuration) }

    /// - Parameter header: A STREAMINFO block.
    /// - Throws: ``CodecError`` if it cannot be read.
    init(header: [UInt8]) throws(CodecError) {
        configuration = try FLACConfiguration(header: header)
    }

    mutating func read(_ payload: RawSpan) throws(CodecError) -> AudioFrames {
        let header = try FLACFrameHeader(payload)
        var result = AudioFrames()
        result.frames.append(AudioFrame(copying: payload, samples: header.blockSize))
        result.configurationChanged = !isReported
        isReported = true
        return result
    }
}
