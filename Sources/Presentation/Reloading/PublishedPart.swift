package import MediaCore
package import NIOCore
package import Playlists

/// A part of a rendition's segment: visible before the slot is over (RFC 8216bis § 4.4.4.9).
package struct PublishedPart: Sendable {
    package var number: MediaSequenceNumber
    /// The index of the part, counted from 0 in each slot.
    package var index: Int
    package var duration: SegmentDuration
    /// True if it has a sample that can be decoded without any before.
    package var isIndependent: Bool
    package var content: PublishedSegment.Content
    /// The lines above the first part of a slot; nil in other parts, and if they are unknown.
    package var opening: Opening?
    /// True if it is known that no part of its slot follows: then playlists hint at the next slot.
    package var isLast = false

    /// The beginning of a segment, told with its first part (RFC 8216bis § 4.4.4.9).
    package struct Opening: Sendable {
        /// The time of the first sample, in UTC from 1970 on.
        package var programDateTime: MediaTime
        /// True at a discontinuity, as ``PublishedSlot/startsDiscontinuity``.
        package var startsDiscontinuity: Bool
        /// The section that the media of its parts needs; nil if keys and map are those of the segment before.
        package var initialization: PublishedSegment.InitializationSection?
        /// The keys, as ``MediaPlaylist/Segment/keys``.
        package var keys: [EncryptionKey]

        package init(
            programDateTime: MediaTime,
            startsDiscontinuity: Bool,
            initialization: PublishedSegment.InitializationSection?,
            keys: [EncryptionKey]
        ) {
            self.programDateTime = programDateTime
            self.startsDiscontinuity = startsDiscontinuity
            self.initialization = initialization
            self.keys = keys
        }
    }

    package init(
        number: MediaSequenceNumber,
        index: Int,
        duration: SegmentDuration,
        isIndependent: Bool,
        content: PublishedSegment.Content,
        opening: Opening? = nil
    ) {
        self.number = number
        self.index = index
        self.duration = duration
        self.isIndependent = isIndependent
        self.content = content
        self.opening = opening
    }

    /// The part's bytes; nil in a gap.
    package var media: ByteBuffer? {
        switch content {
        case .media(let bytes): bytes
        case .gap: nil
        }
    }

    /// The size in bytes; 0 in a gap.
    var byteCount: Int { media?.readableBytes ?? 0 }

    package var position: PlaylistPosition { PlaylistPosition(number, part: index) }
}
