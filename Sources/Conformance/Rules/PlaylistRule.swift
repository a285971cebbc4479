/// What a live media playlist must keep to, as far as a client can see (RFC 8216bis).
package enum PlaylistRule: String, Hashable, Sendable, Codable, CaseIterable {
    /// The text is no media playlist.
    case malformed
    /// No EXTINF rounds to more than the target duration.
    case durationAboveTarget
    /// EXT-X-PROGRAM-DATE-TIME and EXTINF tell the same timeline.
    case dateContradictsDuration
    /// EXT-X-TARGETDURATION never changes.
    case targetDurationChanged
    /// EXT-X-MEDIA-SEQUENCE never goes back.
    case mediaSequenceDecreased
    /// EXT-X-MEDIA-SEQUENCE counts exactly the segments that left.
    case mediaSequenceMiscounted
    /// Segments leave from the head only, in order.
    case removedFromEnd
    /// Nothing that is listed changes.
    case lineChanged
    /// A gap that is listed stays a gap, and media stays media.
    case gapChanged
    /// A sequence number is used once.
    case numberReused
    /// EXT-X-DISCONTINUITY-SEQUENCE counts exactly the discontinuities that left.
    case discontinuitySequenceMiscounted
    /// Nothing is removed where less than three target durations would be left.
    case windowTooShort
    /// After EXT-X-ENDLIST nothing follows.
    case changedAfterEnd

    /// The section that says so.
    package var clause: String {
        switch self {
        case .malformed: "4.1"
        case .durationAboveTarget: "4.4.3.1"
        case .dateContradictsDuration: "4.4.4.6"
        case .targetDurationChanged, .lineChanged, .gapChanged, .changedAfterEnd: "6.2.1"
        case .mediaSequenceDecreased, .mediaSequenceMiscounted, .removedFromEnd, .numberReused,
            .discontinuitySequenceMiscounted, .windowTooShort:
            "6.2.2"
        }
    }
}
