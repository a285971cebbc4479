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
    ///   - contents: The contents of the segment.
    ///   - key: The key of samples; nil if they are not encrypted.
    ///   - room: A buffer whose memory is written over, if nobody else has it.
    /// - Returns: The segment; it depends on the cut and the key alone.
    /// - Throws: ``OpenSSLError`` or ``SampleEncryptionError`` if OpenSSL fails.
    mutating func mux(
        _ contents: SegmentContents,
        key: PeriodKey?,
        into room: consuming ByteBuffer
    ) throws -> MuxedSegment
}
