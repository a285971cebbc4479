import MediaCore

/// A frame found in a stream.
struct FramedAudio<Stream: Hashable & Sendable>: Sendable {
    /// Bytes, headers included.
    var length: Int
    /// PCM samples.
    var samples: Int
    var stream: Stream
    var configuration: CodecConfiguration
}
