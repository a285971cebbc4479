package import MediaCore
import NIOCore
package import Playlists

/// A part of a rendition's segment: visible before the slot is over (RFC 8216bis § 4.4.4.9).
package struct PublishedPart: Sendable {
    package var number: MediaSequenceNumber
    /// The index of the part, counted from 0 in each slot.
    package var index: Int
    package var duration: SegmentDuration
    /// True if its first sample can be decoded without any before.
    package var isIndependent: Bool
    package var content: PublishedSegment.Content

    package init(
        number: MediaSequenceNumber,
        index: Int,
        duration: SegmentDuration,
        isIndependent: Bool,
        content: PublishedSegment.Content
    ) {
        self.number = number
        self.index = index
        self.duration = duration
        self.isIndependent = isIndependent
        self.content = content
    }

    /// The size in bytes; 0 in a gap.
    var byteCount: Int {
        switch content {
        case .media(let bytes): bytes.readableBytes
        case .gap: 0
        }
    }

    package var position: PlaylistPosition { PlaylistPosition(number, part: index) }
}
