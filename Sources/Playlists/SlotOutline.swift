package import MediaCore

/// A listed slot, without its lines.
package struct SlotOutline: Hashable, Sendable {
    package var number: MediaSequenceNumber
    /// The shortest of its segments.
    package var duration: MediaTime
    /// The segments, one of each listed rendition.
    package var segments: [Segment]

    /// The content of a rendition in it.
    package enum Content: Hashable, Sendable {
        /// The feed's own media.
        case media
        /// A filler in place of media.
        case filler
        case gap
    }

    package struct Segment: Hashable, Sendable {
        package var id: RenditionID
        package var content: Content

        package init(_ id: RenditionID, _ content: Content) {
            self.id = id
            self.content = content
        }
    }

    package init(number: MediaSequenceNumber, duration: MediaTime, segments: [Segment]) {
        self.number = number
        self.duration = duration
        self.segments = segments
    }

    /// The content of a rendition; nil if the slot does not list it.
    package subscript(id: RenditionID) -> Content? { segments.first { $0.id == id }?.content }

    /// True if any rendition has media of the feed.
    package var hasMedia: Bool { segments.contains { $0.content == .media } }
}

extension SlotOutline: WindowSlot {
    package var renditions: some Sequence<RenditionID> { segments.lazy.map(\.id) }
    package var canLead: Bool { !segments.isEmpty && !segments.contains { $0.content == .gap } }
    package func isGap(of id: RenditionID) -> Bool { self[id] == .gap }
}
