import MediaCore

/// The place of a live input by its arrival: the clock of the channel that it counts, and the corrections of that.
extension InputTimeline {
    /// An input that was silent for longer than this before its timestamps jumped has been started anew.
    private static let silence = BurstWatch.calm

    /// True if nothing but arrival tells its place.
    var isPlacedByArrival: Bool { followed == .arrival && pace == .live }

    /// The time that a feed may be ahead of real time while that is watched: further ahead it is published too early.
    ///
    /// A slot is published with the first sample of the next, so that nothing published ends later than this after now.
    private var lead: MediaTime { min(grid.tolerance, MediaTime(seconds: 2)) }

    /// Starts settling, because the track's place is unknown.
    mutating func beginSettling() {
        tracks = [:]
        anchor = nil
        clock = nil
        isCatchingUp = false
        beginning = InputBeginning()
    }

    /// Waits for the end of the burst that a feed begins with, and finds its clock.
    mutating func settle(_ track: inout Track, _ packet: Packet, _ clocks: inout ArrivalClocks) {
        let index = packet.track
        let inherited = takeInherited(near: packet.offset)
        let observed = beginning.observe(packet.offset, of: index, at: packet.arrival)
        let groups = inherited.map { [LiveBeginning.Group(offset: $0, tracks: [index])] } ?? observed
        guard let groups, let offset = groups.first?.offset else { return }
        let others = clocks.inputs.subtracting([input])
        var joined = clocks.joined(reading(offset), input: input)
        guard let mapping = clocks.mapping(of: &joined.clock, near: offset - utcOffset) else { return }
        (anchor, utcOffset) = mapping
        clock = joined.clock
        findings.append(
            .began(sharing: joined.others, distance: joined.distance, others: others.subtracting(joined.others))
        )
        for group in groups.dropFirst() {
            for other in group.tracks.sorted() {
                if other == index {
                    separate(&track, index, offset: group.offset, &clocks)
                } else if var held = tracks[other] {
                    separate(&held, other, offset: group.offset, &clocks)
                    tracks[other] = held
                }
            }
        }
    }

    /// Returns true if a track that begins later than others has timestamps that cannot count their clock.
    func isApart(_ packet: Packet) -> Bool {
        guard isPlacedByArrival, let anchor else { return false }
        let lag = packet.offset - anchor - utcOffset
        if isCatchingUp, lag > .zero { return lag > Self.longestRepetition }
        return abs(lag.ticks) > LiveBeginning.apart.ticks
    }

    /// A track counts a clock of its own, and is placed by its own arrival.
    mutating func separate(
        _ track: inout Track,
        _ index: InputTrackIndex,
        offset: MediaTime,
        _ clocks: inout ArrivalClocks
    ) {
        guard let anchor else { return }
        var (own, _) = clocks.jumped(reading(offset), input: input, from: clock)
        guard let mapping = clocks.mapping(of: &own, near: offset - utcOffset) else { return }
        track.clock = own
        track.anchor = anchorHere(of: mapping)
        findings.append(.apart(track: index, distance: anchor + utcOffset - offset))
    }

    private func reading(_ offset: MediaTime) -> ArrivalClocks.Reading {
        ArrivalClocks.Reading(offset: offset, modulus: unwrapper.modulus, utcOffset: utcOffset)
    }

    /// The timestamps of a track have jumped: it counts another clock, where others may have gone before.
    mutating func changeClock(of track: inout Track, _ packet: Packet, _ clocks: inout ArrivalClocks) {
        let (index, arrival) = (packet.track, packet.arrival)
        let newest = tracks.values.map(\.arrival).max() ?? arrival
        guard anchor != nil, arrival - newest < Self.silence else {
            // An encoder that was started anew may begin with a burst, as it may when it is opened. A clock that is
            // settling continues with that; otherwise a track that never stops jumping would keep it unplaced.
            let since = anchor == nil ? beginning.began : nil
            if anchor != nil { repairs.append(.reanchoredClock) }
            beginSettling()
            beginning = InputBeginning(since: since)
            track = Track(anchor: nil, decode: track.decode, arrival: arrival)
            return
        }
        let old = track.clock ?? clock
        let usual = old.map { clocks.usualLag(of: .init(input: input, track: index), on: $0) } ?? .zero
        let offset = packet.offset - usual
        var (new, isNew) = clocks.jumped(reading(offset), input: input, from: old)
        guard let mapping = clocks.mapping(of: &new, near: offset - utcOffset) else { return }
        if isNew { repairs.append(.reanchoredClock) }
        // Siblings that count the same clock jump as well; one that lies apart jumps alone.
        if old == clock {
            (anchor, utcOffset) = mapping
            clock = new
        }
        track.anchor = anchorHere(of: mapping)
        track.previousClock = old
        track.clock = new
        // One damaged timestamp must not cost the clock that the next one counts again.
        let others = tracks.filter { $0.key != index }.values.flatMap { [$0.clock, $0.previousClock] }
        clocks.retain(Set((others + [clock, old, new]).compactMap(\.self)), of: input)
    }

    /// Returns true if a packet that comes far too early may be believed, because another one has agreed.
    func mayBeEarly(_ packet: Packet, _ track: inout Track, _ clocks: ArrivalClocks) -> Bool {
        guard var clock = track.clock, let anchor = track.anchor,
            let mapping = clocks.mapping(of: &clock, near: anchor),
            packet.presentation + mapping.anchor + mapping.utcOffset > packet.arrival + lead
        else { return true }
        return confirms(packet.decode, &track)
    }

    /// Takes a track's place from its clock, and corrects that by the packet's arrival.
    mutating func followClock(_ track: inout Track, _ packet: Packet, _ clocks: inout ArrivalClocks) {
        track.clock = track.clock ?? clock
        update(&track, clocks)
        guard let own = track.clock, let anchor = track.anchor else { return }
        let lag = packet.arrival - (packet.presentation + anchor + utcOffset)
        if lag < Self.placeTolerance { isCatchingUp = false }
        if lag < -lead {
            clocks.move(own, by: lag)
            note(.reanchor(lag))
        } else {
            let source = LagJudge.Source(input: input, track: packet.track)
            let verdict = clocks.observe(lag, of: source, on: own, at: packet.arrival)
            // Only the newest clock's slewing is reported, because dates follow that clock.
            if case .slew = verdict, own != clock { return update(&track, clocks) }
            note(verdict)
        }
        update(&track, clocks)
    }

    private mutating func update(_ track: inout Track, _ clocks: ArrivalClocks) {
        guard var own = track.clock, let anchor = track.anchor,
            let mapping = clocks.mapping(of: &own, near: anchor)
        else { return }
        // Tracks that have not jumped yet are behind.
        let isNewest = track.clock == clock
        track.clock = own
        if isNewest {
            clock = own
            self.anchor = mapping.anchor
            utcOffset = mapping.utcOffset
        }
        track.anchor = anchorHere(of: mapping)
    }

    /// Returns the anchor of a track on any clock, with the UTC offset of the input by its newest clock.
    private func anchorHere(of mapping: (anchor: MediaTime, utcOffset: MediaTime)) -> MediaTime {
        mapping.anchor + (mapping.utcOffset - utcOffset)
    }

    private mutating func note(_ verdict: LagJudge.Verdict) {
        switch verdict {
        case .leave: break
        case .slew(let amount): findings.append(.slewed(amount))
        case .reanchor(let amount):
            repairs.append(.reanchoredClock)
            findings.append(.reanchored(amount))
        }
    }
}
