import ContentProtection
import NIOCore
import Presentation
import Segmenting

/// Writes the segments of one rendition in one format.
///
/// Bytes depend only on the cut and the key, so two packagers of one stream write the same segments.
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

    /// Writes a part of a segment; parts that follow each other are the segment.
    ///
    /// - Parameters:
    ///   - part: The part, with media.
    ///   - key: The key of samples; nil if they are not encrypted.
    /// - Returns: The part; it depends on the cut, the index and the key alone.
    /// - Throws: ``OpenSSLError`` or ``SampleEncryptionError`` if OpenSSL fails.
    mutating func mux(_ part: ChannelEngine.PartDecision, key: PeriodKey?) throws -> MuxedSegment
}

extension SegmentMuxer {
    /// Refuses: this format has no parts.
    mutating func mux(_ part: ChannelEngine.PartDecision, key: PeriodKey?) throws -> MuxedSegment {
        throw SegmentMuxerError.notCarried
    }
}
