/// The reason why a segment cannot be written.
enum SegmentMuxerError: Error {
    /// The format has no place for the codec.
    case notCarried
    /// The segment has more bytes than one counter can count blocks for.
    case tooManySamples
}
