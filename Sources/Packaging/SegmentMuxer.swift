import ContentProtection
import NIOCore
import Presentation
import Segmenting

/// Writes the segments of one rendition in one format.
///
/// Bytes depend on the cut and the key alone, so two packagers fed the same stream write the same.
protocol SegmentMuxer {
    /// Writes a segment.
    ///
    /// - Parameters:
    ///   - contents: What it holds.
    ///   - key: What samples are encrypted with; nil where they are not.
    /// - Returns: The segment; it depends on the cut and the key alone.
    /// - Throws: ``OpenSSLError`` or ``SampleEncryptionError`` where OpenSSL fails.
    mutating func mux(_ contents: SegmentContents, key: PeriodKey?) throws -> MuxedSegment
}
