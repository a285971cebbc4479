import MediaCore

/// Finds out how one track's media time relates to the UTC that its packets signal.
///
/// One damaged or forged signal must not move a timeline: a new relation is believed once every signal of half a
/// second, two at least, agrees on it.
struct SignalFollower: Sendable {
    /// The signal of one packet.
    struct Signal: Sendable {
        var time: MediaTime
        /// The grid on which pictures are presented; nil if the signal is not exact to the frame.
        var grid: FrameGrid?
        /// True if `time` was not rounded.
        var isExact: Bool
    }

    enum Finding: Hashable {
        /// Media time relates to UTC as before.
        case agrees
        /// The offset may have changed, which is not certain yet.
        case doubted
        /// The offset has changed.
        case moved
    }

    /// The grid on which the track's pictures are presented; nil without timecode.
    private(set) var grid: FrameGrid?
    private var candidate: (anchor: MediaTime, since: MediaTime)?
    /// True if the relation was known and is not any more.
    private var isLost = false

    private static let confirmation = MediaTime(milliseconds: 500)
    /// The jitter of a clock that is read by software.
    private static let inexactTolerance = MediaTime(milliseconds: 20)

    /// A packet with a signal arrived.
    ///
    /// - Parameters:
    ///   - signal: The signal.
    ///   - presentation: Its presentation timestamp.
    ///   - anchor: UTC minus media time as it stands; nil if nothing is known.
    ///   - isCertain: True if the signal needs no other to be believed.
    /// - Returns: The finding about the anchor.
    mutating func received(
        _ signal: Signal,
        presentation: MediaTime,
        anchor: MediaTime?,
        isCertain: Bool
    ) -> Finding {
        let new = signal.time - presentation
        let tolerance = signal.grid?.tolerance ?? Self.inexactTolerance
        func agrees(with anchor: MediaTime) -> Bool { abs((new - anchor).ticks) < tolerance.ticks }
        // A signal that was right so far gets the benefit of the doubt.
        let isCertain = isCertain || isLost
        if let anchor, agrees(with: anchor) {
            candidate = nil
            isLost = false
            grid = signal.grid
            return .agrees
        }
        if let candidate, agrees(with: candidate.anchor) {
            guard isCertain || abs((presentation - candidate.since).ticks) >= Self.confirmation.ticks else {
                return .doubted
            }
        } else if !isCertain {
            candidate = (new, presentation)
            return .doubted
        }
        candidate = nil
        isLost = false
        grid = signal.grid
        return .moved
    }

    /// The track's timestamps jumped: its next signal says where to.
    mutating func timestampsJumped() {
        candidate = nil
        isLost = true
    }
}
