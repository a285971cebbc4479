/// The header at the start of each frame of a stream without any other framing.
protocol AudioFrameHeader {
    /// The part that all headers of a stream have in common.
    associatedtype Stream: Hashable, Sendable

    var stream: Stream { get }
    /// Bytes of header and frame.
    var frameLength: Int { get }
    /// Hz.
    var sampleRate: Int { get }
    /// PCM samples; 0 if the frame only adds channels to the one before it.
    var samples: Int { get }

    /// - Throws: ``CodecError/truncated`` if bytes are missing, another ``CodecError`` where this is no header.
    init(_ bytes: RawSpan) throws(CodecError)
}

extension AudioFrameHeader {
    /// Returns the place of a frame after bytes that cannot be read; another frame must follow it.
    ///
    /// - Parameters:
    ///   - bytes: The bytes, of which the first cannot be read.
    ///   - stream: The stream that the frame must belong to; nil for any.
    /// - Returns: The offset; nil if there is none.
    static func nextFrame(in bytes: RawSpan, of stream: Stream?) -> Int? {
        (0..<bytes.byteCount).dropFirst().first { offset in
            guard let first = header(in: bytes, at: offset, of: stream) else { return false }
            let end = offset + first.frameLength
            return end == bytes.byteCount
                || end < bytes.byteCount && header(in: bytes, at: end, of: first.stream) != nil
        }
    }

    private static func header(in bytes: RawSpan, at offset: Int, of stream: Stream?) -> Self? {
        guard let header = try? Self(bytes.extracting(droppingFirst: offset)) else { return nil }
        return stream == nil || header.stream == stream ? header : nil
    }
}
