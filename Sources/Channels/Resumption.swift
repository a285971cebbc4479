package import MediaCore
package import Timeline

/// The way in which a channel that starts continues once its peer has answered.
package enum Resumption: Hashable, Sendable {
    /// Resume from the peer's window, after the slots that the channel's own journal has.
    case fromPeer
    /// Wait until the channel can resume from the slots of the peer.
    case joiningPeer
    /// Resume from the journal alone, because the peer is in the future; with the reason in one phrase.
    case withoutPeer(String)

    /// Decides on the way.
    ///
    /// - Parameters:
    ///   - newest: The newest slot that the peer or the journal lists; nil if neither lists any.
    ///   - isPeerJoining: True if the peer waits for this packager itself.
    ///   - peerClock: The peer's clock when it answered, to the second; nil if it does not say.
    ///   - canJoin: True if it makes sense to wait for the peer's next slots.
    ///   - grid: The grid of the slots.
    ///   - clock: The clock, in UTC.
    package init(
        after newest: MediaSequenceNumber?,
        isPeerJoining: Bool,
        peerClock: MediaTime?,
        canJoin: Bool,
        grid: SegmentGrid,
        clock: any UTCClock
    ) {
        if let ahead = grid.implausibleLead(of: newest, at: clock.now) {
            // A fault of the peer must not keep this packager off air.
            let cause = Self.cause(peerClock: peerClock, at: clock.wallClock)
            self = .withoutPeer("its window ends \(Int(ahead.seconds)) s ahead of this machine's clock: \(cause)")
        } else if !isPeerJoining, canJoin {
            self = .joiningPeer
        } else {
            // Two packagers that wait for each other would both publish nothing.
            self = .fromPeer
        }
    }

    /// Finds out if a channel can start with its journal.
    ///
    /// - Parameters:
    ///   - newest: The newest slot that an earlier run has published; nil if none was.
    ///   - grid: The grid of the slots.
    ///   - now: The time now, in UTC.
    /// - Returns: The reason why it cannot; nil if it can.
    package static func problem(
        ofJournal newest: MediaSequenceNumber?,
        grid: SegmentGrid,
        at now: MediaTime
    ) -> String? {
        guard let ahead = grid.implausibleLead(of: newest, at: now) else { return nil }
        return """
            what was published before ends \(Int(ahead.seconds)) s ahead of this machine's clock, which must have been \
            set back since. Set the clock, or remove the journal in the state directory to begin anew.
            """
    }

    /// Returns the reason why a peer's window lies in the future, judged by the clock in its answer.
    private static func cause(peerClock: MediaTime?, at now: MediaTime) -> String {
        guard let peerClock else { return "which of the two clocks is wrong is not known" }
        let difference = (peerClock - now).milliseconds
        // Date counts whole seconds, and an answer takes its time.
        guard abs(difference) > 2_500 else { return "its clock agrees with this one, so its feed runs ahead of time" }
        let side = difference > 0 ? "ahead of" : "behind"
        return "its clock is \(abs(difference) / 1_000) s \(side) this one, so one of the two is wrong"
    }
}
