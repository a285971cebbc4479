/// The reason why a segment cannot be written.
enum SegmentMuxerError: Error {
    /// The format has no place for the codec, or for parts.
    case notCarried
    /// The segment has more bytes than one counter can count blocks for.
    case tooManySamples
    /// Some part of the segment was not written.
    case lacksParts
}
