import MediaCore

/// Jumps of timestamps, and the place of a stored or paced feed after them.
extension InputTimeline {
    /// Further ahead of the wall clock than any signal's UTC can be.
    static let plausibleLead = MediaTime(seconds: 10)
    /// The longest time for which a codec holds a picture back.
    static let mostReordering = MediaTime(seconds: 5)
    /// Timestamps that run this much ahead of arrival, or back at all by more than a reordering, have jumped.
    static let jump = MediaTime(seconds: 2)
    /// Further behind it than any signal's UTC can be: where PTS wraps, UTC is never further than half a turn away.
    private static let plausibleDelay = MediaTime(ticks: 1 << 32)
    /// The most that a server sends of the past when a live feed is opened.
    static let longestBacklog = MediaTime(seconds: 60)
    private static let signalJump = MediaTime(seconds: 60)
    private static let backwardJump = MediaTime(milliseconds: 500)
    /// The time that a feed may stay behind before that is taken for its new place.
    private static let patience = MediaTime(seconds: 1)
    /// The least that a feed makes up for in that time, if it catches up at all.
    private static let catchingUp = MediaTime(milliseconds: 100)

    /// Returns true if a live packet's signal can mean UTC.
    func isPlausible(_ utc: MediaTime, at wallClock: MediaTime) -> Bool {
        utc <= wallClock + Self.plausibleLead && utc >= wallClock - Self.plausibleDelay
    }

    func isJump(_ step: MediaTime, after waiting: MediaTime) -> Bool {
        if step < -Self.backwardJump { return true }
        switch (followed, pace) {
        case (.arrival, .live), (.timecode, .live): return step > waiting + Self.jump
        case (.arrival, _), (.timecode, _): return step > StoredBeginning.jump
        case (.pts, .live): return false
        case (.pts, .paced), (.pts, .stored): return step > Self.signalJump
        }
    }

    /// Returns true if a second packet agrees with the jump of the first: one damaged timestamp must not move a
    /// timeline.
    func confirms(_ decode: MediaTime, _ track: inout Track) -> Bool {
        defer { track.suspect = decode }
        guard let suspect = track.suspect else { return false }
        let distance = decode - suspect
        return distance > -Self.backwardJump && distance < MediaTime(seconds: 1)
    }

    /// Places a track of a feed that is read from storage, or paced, anew.
    mutating func reanchor(_ track: inout Track, _ packet: Packet) {
        // If a sibling has jumped already, or never did, its anchor holds, so that both stay in sync.
        let others = [anchor].compactMap(\.self) + tracks.values.compactMap(\.anchor)
        let expected = packet.arrival - (track.lag.least ?? .zero)
        if let other = others.first(where: {
            $0 != track.anchor && isNear(packet.presentation + $0 + utcOffset, expected)
        }) {
            anchor = other
            track.anchor = other
            return
        }
        repairs.append(.reanchoredClock)
        // An input that has never been on time is placed beside its siblings.
        let new = pace == .paced && track.hasBegun ? expected - utcOffset - packet.presentation : end - packet.decode
        anchor = new
        track.anchor = new
        track.late = nil
    }

    private func isNear(_ utc: MediaTime, _ expected: MediaTime) -> Bool {
        let expected = pace == .stored ? end + utcOffset : expected
        return utc > expected - Self.jump && utc < expected + Self.jump
    }

    /// Watches how far behind the wall clock a paced feed's track is: a lasting delay is a new anchor.
    mutating func followPace(_ track: inout Track, _ packet: Packet) {
        let arrival = packet.arrival
        let lag = arrival - (packet.presentation + (track.anchor ?? .zero) + utcOffset)
        // Its beginning is no measure of delay: it is anchored on its slot's edge, up to a slot before its arrival.
        guard let least = track.lag.least, lag > least + Self.jump else {
            track.late = nil
            track.lag.observe(lag, at: arrival)
            return
        }
        // A burst after a stall catches up by itself; a feed that was paused never does.
        guard let late = track.late else {
            track.late = (arrival, lag)
            return
        }
        guard arrival - late.since > Self.patience else { return }
        if lag > late.lag - Self.catchingUp {
            reanchor(&track, packet)
        } else {
            track.late = (arrival, lag)
        }
    }
}
