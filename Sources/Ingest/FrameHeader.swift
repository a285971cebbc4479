/// What the header of an audio frame says of its length, in time and in bytes.
struct FrameHeader: Hashable, Sendable {
    /// Hz.
    var sampleRate: Int64
    /// PCM samples; 0 where the frame only adds channels to the one before it.
    var samples: Int64
    /// Bytes of all that is the frame's, never 0.
    var byteCount: Int
    /// How many of them belong to the transport and not to the frame.
    var prefixByteCount = 0
    /// 1 to 3, of MPEG audio.
    var layer: Int?
}

extension FrameHeader {
    init(_ frame: ADTSFrame) {
        self.init(sampleRate: frame.sampleRate, samples: frame.samples, byteCount: frame.byteCount)
    }
}
