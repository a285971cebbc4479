package import Presentation
package import Segmenting

/// Turns the cut media of a rendition into published segments.
package protocol SegmentWriter {
    /// Makes the segment, or the gap.
    ///
    /// - Parameter contents: The contents of the slot, whose parts are written if it has some.
    /// - Returns: The segment to be published.
    /// - Throws: Any error of writing or encrypting the segment.
    mutating func write(_ contents: SegmentContents) throws -> PublishedSegment

    /// Makes a part of a segment, or the gap; the segment is then made of its parts.
    ///
    /// - Parameter part: The part that follows the one before it in its slot.
    /// - Returns: The part to be published.
    /// - Throws: Any error of writing or encrypting the part.
    mutating func write(_ part: ChannelEngine.PartDecision) throws -> PublishedPart
}
