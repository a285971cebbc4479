package import Presentation
package import Segmenting

/// Turns what was cut for a rendition into what viewers get.
package protocol SegmentWriter {
    /// Makes the segment, or the gap.
    ///
    /// - Parameter contents: The contents of the slot.
    /// - Returns: The segment to be published.
    /// - Throws: Whatever keeps the segment from being written or encrypted.
    mutating func write(_ contents: SegmentContents) throws -> PublishedSegment
}
