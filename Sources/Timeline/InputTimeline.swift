package import MediaCore

/// Places one input's packets on the channel's timeline: unwraps, repairs, anchors, follows drift.
///
/// Two clocks are kept apart. The *media timeline* counts in the encoder's own ticks from an anchor and is never
/// stretched. *UTC* is the media timeline plus `utcOffset`, which alone is slewed against drift, by at most
/// 100 ppm. With ``ClockSource/pts`` and ``ClockSource/timecode`` both are the signal's and the offset stays zero.
///
/// Pure: the time of arrival is passed in, nothing is scheduled.
package struct InputTimeline: Sendable {
    /// What became of a packet's timestamps.
    package enum Reception: Hashable, Sendable {
        case placed(SampleTimes)
        /// The anchor is not known yet: keep the sample and place it by ``InputTimeline/place(_:track:)`` once ``InputTimeline/isAnchored``.
        case held(SampleTimes)
        case dropped
    }

    package let source: ClockSource
    package let pace: InputPace
    let grid: SegmentGrid
    let clock: TimecodeClock

    /// UTC minus media time.
    package internal(set) var utcOffset = MediaTime.zero
    /// Whether packets are being placed; false until the first anchor and while a reopened input settles.
    package var isAnchored: Bool { anchor != nil }
    /// Repairs since they were last taken.
    package internal(set) var repairs: [TimelineRepair] = []

    private var unwrapper: TimestampUnwrapper
    /// Media time minus input time, as the newest anchor has it.
    var anchor: MediaTime?
    var tracks: [Int: Track] = [:]
    var settling = Settling()
    private var drift = DriftFilter()
    private(set) var end = MediaTime.zero
    /// When the input was opened, which for a stored feed is as good as any time to begin at.
    private(set) var openedAt = MediaTime.zero

    /// Whether arrival does for a signal that is missing.
    ///
    /// It stays so when the input is opened again: what had no signal is not waited for a second time.
    var isFallenBack = false
    /// Since when, and for how many packets, an anchor has been waited for.
    var waiting: (since: MediaTime, packets: Int)?
    /// The slot in which the anchor was last taken from a signal.
    var renewedAt: MediaSequenceNumber?
    /// Where UTC comes from now.
    private var followed: ClockSource { isFallenBack ? .arrival : source }

    struct Track {
        var anchor: MediaTime?
        var decode: MediaTime
        var arrival: MediaTime
        var step = MediaTime(ticks: 1)
        /// The least that this track's packets came after their UTC.
        var lag = LagFilter()
        var late: (since: MediaTime, lag: MediaTime)?
        var suspect: MediaTime?
        var signal = SignalFollower()
    }

    /// - Parameters:
    ///   - source: Where UTC comes from.
    ///   - pace: Whether arrival means anything.
    ///   - grid: Stored feeds are anchored on a slot's edge.
    ///   - clock: How timecode is read.
    package init(source: ClockSource, pace: InputPace, grid: SegmentGrid, clock: TimecodeClock = TimecodeClock()) {
        self.source = source
        self.pace = pace
        self.grid = grid
        self.clock = clock
        self.unwrapper = TimestampUnwrapper(modulus: nil)
    }

    /// The input was opened, for the first time or again; its timestamps may have started over.
    ///
    /// - Parameters:
    ///   - timestampModulus: Where they wrap, in 90 kHz ticks.
    ///   - now: UTC; stored feeds that were opened at the same time stay in sync.
    package mutating func opened(timestampModulus: Int64?, now: MediaTime) {
        // PTS that carries UTC modulo 2^33 (26.5 h) is the congruent time nearest to this machine's clock.
        unwrapper = TimestampUnwrapper(modulus: timestampModulus, reference: source == .pts ? now.ticks : nil)
        tracks = [:]
        settling = Settling()
        openedAt = now
        anchor = source == .pts ? .zero : nil
        waiting = nil
        renewedAt = nil
    }

    /// Takes the list of repairs and empties it.
    package mutating func takeRepairs() -> [TimelineRepair] {
        defer { repairs.removeAll(keepingCapacity: true) }
        return repairs
    }

    /// A packet arrived.
    ///
    /// - Parameters:
    ///   - packet: Its raw timestamps in 90 kHz ticks.
    ///   - canAnchor: Whether a stored feed may be anchored on it: the first sync sample of its leading track.
    ///   - arrival: UTC of its arrival.
    ///   - wallClock: The same by the machine's clock, which signals are judged by; nil where that was not set.
    ///   - signalled: What it says of its UTC itself; only ``ClockSource/timecode`` asks for it, of video.
    /// - Returns: Its place, if it has one.
    package mutating func received(
        _ packet: PacketInfo,
        canAnchor: Bool,
        arrival: MediaTime,
        wallClock: MediaTime? = nil,
        signalled: SignalledTime? = nil
    ) -> Reception {
        let wallClock = wallClock ?? arrival
        guard let raw = packet.decodeTimestamp ?? packet.presentationTimestamp else {
            repairs.append(.untimedPacket)
            return .dropped
        }
        var decode = MediaTime(ticks: unwrapper.unwrap(raw))
        // Both timestamps lie close together, so the one unwraps next to the other.
        var presentation = decode
        if let raw = packet.presentationTimestamp {
            var near = TimestampUnwrapper(modulus: unwrapper.modulus, reference: decode.ticks)
            presentation = MediaTime(ticks: near.unwrap(raw))
        }
        guard abs((presentation - decode).ticks) < Self.mostReordering.ticks else {
            repairs.append(.implausibleClock)
            return .dropped
        }
        var track = tracks[packet.trackIndex] ?? Track(anchor: anchor, decode: decode, arrival: arrival)
        let signal = read(signalled, of: track, arrival: wallClock)
        var hasJumped = false
        if tracks[packet.trackIndex] != nil {
            let (step, waiting) = (decode - track.decode, arrival - track.arrival)
            hasJumped = isJump(step, after: waiting)
            let isExplained = followed == .timecode && (signal != nil || isExplained(decode, of: track, after: waiting))
            let needsSecond = !isExplained && (followed != .arrival || pace != .live)
            if hasJumped, needsSecond, !confirms(decode, &track) {
                repairs.append(.implausibleClock)
                tracks[packet.trackIndex] = track
                return .dropped
            }
            if hasJumped, followed == .arrival {
                reanchor(&track, decode: decode, presentation: presentation, arrival: arrival)
            } else if hasJumped, followed == .timecode, signal == nil {
                loseAnchor(&track)
            } else if step <= .zero, !hasJumped {
                decode = track.decode + MediaTime(ticks: 1)
                repairs.append(.clampedDecodeTime)
            } else if !hasJumped {
                track.step = step
            }
        }
        track.suspect = nil
        track.decode = decode
        track.arrival = arrival
        defer { tracks[packet.trackIndex] = track }

        let times = SampleTimes(decode: decode, presentation: presentation)
        if let signal { follow(signal, &track, presentation: presentation, hasJumped: hasJumped) }
        guard let own = track.anchor ?? anchor else {
            if followed == .timecode { waitForSignal(arrival: arrival) }
            if followed == .arrival { settle(times, canAnchor: canAnchor, arrival: arrival) }
            return .held(times)
        }
        track.anchor = own
        if followed != .arrival, pace == .live, times.presentation + own > wallClock + Self.plausibleLead {
            repairs.append(.implausibleClock)
            return .dropped
        }
        if followed == .arrival, pace != .stored { follow(&track, times, arrival: arrival) }
        let placed = place(times, of: track)
        end = max(end, placed.decode + track.step)
        return .placed(placed)
    }

    /// Places what has a timestamp and no part in the clock.
    ///
    /// - Parameter timestamp: In 90 kHz ticks as the input counts them.
    /// - Returns: Its place on the media timeline; nil while there is none.
    package func place(timestamp: Int64) -> MediaTime? {
        guard isAnchored else { return nil }
        var near = unwrapper
        let time = MediaTime(ticks: near.unwrap(timestamp))
        return place(SampleTimes(decode: time, presentation: time), of: nil).presentation
    }

    /// Places what was held, now that the anchor is known.
    ///
    /// - Parameters:
    ///   - held: As it was returned.
    ///   - track: The `PacketInfo.trackIndex` that it came with; without it, as of a track without timecode.
    /// - Returns: Its place.
    package func place(_ held: SampleTimes, track: Int? = nil) -> SampleTimes {
        place(held, of: track.flatMap { tracks[$0] })
    }

    private func place(_ times: SampleTimes, of track: Track?) -> SampleTimes {
        let anchor = track?.anchor ?? anchor ?? .zero
        let (decode, presentation) = (times.decode + anchor, times.presentation + anchor)
        guard followed == .timecode, let frames = track?.signal.grid else {
            return SampleTimes(decode: decode, presentation: presentation)
        }
        // Pictures are presented where the label says, whatever their timestamps were rounded to.
        return SampleTimes(decode: frames.nearest(to: decode), presentation: frames.nearest(to: presentation))
    }
}

// MARK: - Anchors

extension InputTimeline {
    /// Further ahead of the wall clock than any signal's UTC can be.
    static let plausibleLead = MediaTime(seconds: 10)
    /// No codec holds a picture back for longer.
    private static let mostReordering = MediaTime(seconds: 5)
    /// Timestamps that run this much ahead of arrival, or back at all by more than a reordering, have jumped.
    private static let jump = MediaTime(seconds: 2)
    private static let storedJump = MediaTime(seconds: 10)
    private static let signalJump = MediaTime(seconds: 60)
    private static let backwardJump = MediaTime(milliseconds: 500)
    /// How long a feed may stay behind before that is taken for its new place.
    private static let patience = MediaTime(seconds: 1)
    /// What a feed makes up for in that time at least, if it does.
    private static let catchingUp = MediaTime(milliseconds: 100)

    /// So many packets of a stored feed are held at most.
    static let mostUnanchored = 1000

    /// The packets of a feed just opened, which come in a burst: what was read while probing, or a server's buffer.
    struct Settling {
        var latest: MediaTime?
        var first: MediaTime?
        var arrival: MediaTime?
        var packets = 0
    }

    private mutating func settle(_ times: SampleTimes, canAnchor: Bool, arrival: MediaTime) {
        settling.packets += 1
        settling.latest = max(settling.latest ?? times.presentation, times.presentation)
        let first = settling.first ?? arrival
        settling.first = first
        defer { settling.arrival = arrival }
        switch pace {
        case .paced, .stored:
            // The first picture starts the first slot; UTC of a stored feed is a convention anyway.
            guard canAnchor || settling.packets > Self.mostUnanchored else { return }
            let edge = max(grid.start(of: grid.slot(at: openedAt)), end + utcOffset)
            anchor = edge - utcOffset - times.presentation
        case .live:
            // The burst is over when a packet had to be waited for. What came last was made just now.
            let waited = settling.arrival.map { arrival - $0 >= MediaTime(milliseconds: 4) } ?? false
            guard waited || arrival - first > MediaTime(seconds: 1) || settling.packets > 4000 else { return }
            anchor = arrival - utcOffset - (settling.latest ?? times.presentation)
        }
        drift.restart()
    }

    func isJump(_ step: MediaTime, after waiting: MediaTime) -> Bool {
        if step < -Self.backwardJump { return true }
        switch (followed, pace) {
        case (.arrival, .live), (.timecode, .live): return step > waiting + Self.jump
        case (.arrival, _), (.timecode, _): return step > Self.storedJump
        case (.pts, .live): return false
        case (.pts, .paced), (.pts, .stored): return step > Self.signalJump
        }
    }

    /// Whether a second packet agrees with the jump of the first: one damaged timestamp must not move a timeline.
    private func confirms(_ decode: MediaTime, _ track: inout Track) -> Bool {
        defer { track.suspect = decode }
        guard let suspect = track.suspect else { return false }
        let distance = decode - suspect
        return distance > -Self.backwardJump && distance < MediaTime(seconds: 1)
    }

    private mutating func reanchor(
        _ track: inout Track,
        decode: MediaTime,
        presentation: MediaTime,
        arrival: MediaTime
    ) {
        // Where a sibling has jumped already, or never did, its anchor holds, so that both stay in sync.
        let others = [anchor].compactMap(\.self) + tracks.values.compactMap(\.anchor)
        let expected = arrival - (track.lag.least ?? .zero)
        if let other = others.first(where: { $0 != track.anchor && isNear(presentation + $0 + utcOffset, expected) }) {
            anchor = other
            track.anchor = other
            return
        }
        repairs.append(.reanchoredClock)
        let new =
            switch pace {
            case .live, .paced: expected - utcOffset - presentation
            case .stored: end - decode
            }
        anchor = new
        track.anchor = new
        track.late = nil
    }

    private func isNear(_ utc: MediaTime, _ expected: MediaTime) -> Bool {
        let expected = pace == .stored ? end + utcOffset : expected
        return utc > expected - Self.jump && utc < expected + Self.jump
    }

    /// Watches how far behind the wall clock a track is: drift is slewed, a lasting delay is a new anchor.
    private mutating func follow(_ track: inout Track, _ times: SampleTimes, arrival: MediaTime) {
        let lag = arrival - (times.presentation + (track.anchor ?? .zero) + utcOffset)
        // Where it begins is no delay: a paced feed is anchored on its slot's edge, up to a slot before its arrival.
        guard let least = track.lag.least, lag > least + Self.jump else {
            track.late = nil
            track.lag.observe(lag, at: arrival)
            if pace == .live { utcOffset += drift.observe(lag, at: arrival) }
            return
        }
        // A burst after a stall catches up by itself; a feed that was paused never does.
        guard let late = track.late else {
            track.late = (arrival, lag)
            return
        }
        guard arrival - late.since > Self.patience else { return }
        if lag > late.lag - Self.catchingUp {
            reanchor(&track, decode: times.decode, presentation: times.presentation, arrival: arrival)
        } else {
            track.late = (arrival, lag)
        }
    }
}
