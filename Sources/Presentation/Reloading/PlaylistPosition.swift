package import MediaCore

/// A segment, or a part of one, in a media playlist: `_HLS_msn` and `_HLS_part` (RFC 8216bis § 6.2.5.2).
package struct PlaylistPosition: Hashable, Sendable {
    package var number: MediaSequenceNumber
    /// The index of the part, counted from 0; nil for the whole segment.
    package var part: Int?

    package init(_ number: MediaSequenceNumber, part: Int? = nil) {
        self.number = number
        self.part = part
    }
}
