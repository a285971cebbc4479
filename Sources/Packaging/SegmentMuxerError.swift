/// Why a segment cannot be written.
enum SegmentMuxerError: Error {
    /// The format has no place for the codec.
    case notCarried
    /// More than there are initialization vectors for.
    case tooManySamples
}
