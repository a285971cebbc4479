package import MediaCore

/// The grid that every segment of a channel is cut on: slot `k` covers UTC `[k·D, (k+1)·D)` counted from 1970.
///
/// A slot's number is the media sequence number of the segment that fills it, so a restarted packager and a second
/// one agree on every number without talking.
package struct SegmentGrid: Hashable, Sendable {
    /// `D`, the nominal duration of a segment.
    package let slotDuration: MediaTime

    /// - Parameter slotDuration: `D`, above zero.
    package init(slotDuration: MediaTime) {
        precondition(slotDuration > .zero, "a slot has a duration")
        self.slotDuration = slotDuration
    }

    /// The slot that a time since 1970 lies in.
    package func slot(at time: MediaTime) -> MediaSequenceNumber {
        let (quotient, remainder) = time.ticks.quotientAndRemainder(dividingBy: slotDuration.ticks)
        return MediaSequenceNumber(remainder < 0 ? quotient - 1 : quotient)
    }

    /// The time at which a slot starts, since 1970.
    package func start(of slot: MediaSequenceNumber) -> MediaTime {
        slotDuration * slot.value
    }

    /// `D/2`: how far from its slot's edge a segment may start.
    package var tolerance: MediaTime { MediaTime(ticks: slotDuration.ticks / 2) }

    /// EXT-X-TARGETDURATION in seconds, `ceil(1.5·D)`: fixed for the channel's life (RFC 8216bis § 4.4.3.1).
    package var targetDuration: Int {
        let ticks = slotDuration.ticks * 3
        let unit = MediaTime.timescale * 2
        return Int((ticks + unit - 1) / unit)
    }

    /// The longest that a segment may last.
    package var longestSegment: MediaTime { MediaTime(seconds: Int64(targetDuration)) }
}
