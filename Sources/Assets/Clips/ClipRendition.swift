package import MediaCore
package import Playlists
package import Presentation

/// A rendition that a clip is cut from, with its segments from before the clip until its end.
package struct ClipRendition: Sendable {
    package var id: RenditionID
    package var segments: [Segment]

    /// A segment of a recording.
    package struct Segment: Hashable, Sendable {
        package var number: MediaSequenceNumber
        package var line: MediaPlaylist.Segment

        package init(number: MediaSequenceNumber, line: MediaPlaylist.Segment) {
            (self.number, self.line) = (number, line)
        }
    }

    package init(id: RenditionID, segments: [Segment]) {
        (self.id, self.segments) = (id, segments)
    }

    /// Adds the segment of the next slot; a gap has none.
    package mutating func append(_ slot: ListedSlot) {
        guard let segment = slot.segments[id], !segment.line.isGap else { return }
        segments.append(Segment(number: slot.number, line: segment.line))
    }
}
