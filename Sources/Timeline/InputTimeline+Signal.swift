import MediaCore

/// Clock ``ClockSource/timecode``: the packets' own signals set the anchor.
extension InputTimeline {
    /// The time that a feed can be behind the wall clock and still mean UTC.
    ///
    /// Half-hour time zones, the nearest thing to be mistaken for, are three times as far off; the longest paths and
    /// timecode that drifts through a day (86 s) are not.
    private static let plausibleLag = MediaTime(seconds: 600)

    /// The UTC that a packet signals, or nil if it signals none that can be true.
    mutating func read(_ signalled: SignalledTime?, of track: Track, arrival: MediaTime) -> SignalFollower.Signal? {
        guard source == .timecode, let signalled else { return nil }
        let signal: SignalFollower.Signal
        switch signalled {
        case .timecode(let label):
            // Stored timecode may be of any time; if it continues the signals before, it is of the same day.
            let now = pace != .stored ? arrival : end > .zero ? end : openedAt
            guard let rate = label.frameRate.flatMap(TimecodeRate.init),
                let reading = timecode.read(label, rate: rate, near: now)
            else {
                repairs.append(.implausibleClock)
                return nil
            }
            signal = .init(time: reading.time, grid: reading.grid, isExact: reading.isExact)
        case .producerReference(let time):
            // Frame-exact readings are not mixed with others.
            guard track.signal.grid == nil else { return nil }
            signal = .init(time: time, grid: nil, isExact: true)
        }
        let isPlausible = signal.time <= arrival + Self.plausibleLead && signal.time >= arrival - Self.plausibleLag
        guard isPlausible || pace == .stored else {
            repairs.append(.implausibleClock)
            return nil
        }
        return signal
    }

    /// Takes the anchor from a signal, if that is plausible.
    ///
    /// - Parameters:
    ///   - signal: The signal of a packet.
    ///   - track: Its track.
    ///   - packet: Its timestamps.
    ///   - hasJumped: True if its timestamps did: then a signal that can be true is, for nothing else is known.
    ///   - clocks: Those of inputs that are placed by their arrival, as it is no more.
    mutating func follow(
        _ signal: SignalFollower.Signal,
        _ track: inout Track,
        _ packet: Packet,
        hasJumped: Bool,
        _ clocks: inout ArrivalClocks
    ) {
        let old = isFallenBack ? nil : track.anchor ?? anchor
        let finding = track.signal.received(
            signal,
            presentation: packet.presentation,
            anchor: old,
            isCertain: hasJumped && !isFallenBack
        )
        let slot = grid.slot(at: signal.time)
        switch finding {
        case .doubted:
            return
        case .agrees:
            // Timestamps are rounded and may drift from the signal. All readers of this feed take the anchor from the
            // same packet, the first in a slot that is not rounded, so that all come to the same tick.
            let isFirst = signal.isExact && renewedAt.map { $0 < slot } ?? true
            guard isFirst || anchor == nil else { return }
        case .moved:
            if isFallenBack || old != nil { repairs.append(.reanchoredClock) }
        }
        let new = signal.time - packet.presentation
        renewedAt = slot
        // After a jump, siblings keep their anchor until they jump as well.
        if finding == .agrees || !hasJumped {
            for index in tracks.keys where isFallenBack || tracks[index]?.anchor == old {
                tracks[index]?.anchor = new
            }
        }
        anchor = new
        track.anchor = new
        isFallenBack = false
        clocks.retain([], of: input)
        clock = nil
        track.clock = nil
        for index in tracks.keys { tracks[index]?.clock = nil }
        beginning.signalled()
        utcOffset = .zero
    }

    /// Timestamps jumped, and the packet does not say where to.
    mutating func loseAnchor(_ track: inout Track) {
        if let anchor, anchor != track.anchor {
            // A sibling has jumped already.
            track.anchor = anchor
            return
        }
        if anchor != nil { repairs.append(.reanchoredClock) }
        anchor = nil
        track.anchor = nil
        track.signal.timestampsJumped()
    }

    /// Returns true if timestamps that jumped continue at their place, by the anchor that another track has found
    /// already.
    func isExplained(_ decode: MediaTime, of track: Track, after waiting: MediaTime) -> Bool {
        guard let anchor, let old = track.anchor, anchor != old else { return false }
        return !isJump(decode + anchor - (track.decode + old), after: waiting)
    }

    /// Notes that a packet is held because there is no anchor.
    ///
    /// If that lasts too long, arrival places it.
    mutating func waitForSignal(arrival: MediaTime) {
        guard beginning.awaitSignal(pace, at: arrival) else { return }
        repairs.append(.missingTimecode)
        isFallenBack = true
        beginning = InputBeginning()
    }
}
