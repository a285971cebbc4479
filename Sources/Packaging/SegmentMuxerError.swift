/// The reason why a segment cannot be written.
enum SegmentMuxerError: Error {
    /// The format has no place for the codec.
    case notCarried
    /// More bytes than one counter counts blocks for.
    case tooManySamples
}
