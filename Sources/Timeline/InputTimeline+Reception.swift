package import MediaCore

/// The stages that a packet passes on its way to a place on the timeline.
extension InputTimeline {
    /// A packet whose timestamps no longer wrap.
    struct Packet {
        let track: InputTrackIndex
        var decode: MediaTime
        let presentation: MediaTime
        /// UTC of its arrival.
        let arrival: MediaTime

        var times: SampleTimes { SampleTimes(decode: decode, presentation: presentation) }
    }

    /// The way in which a packet follows what came before it.
    private enum Succession {
        case continues
        /// The timestamps have jumped, and the track lies elsewhere from here on.
        case jumps
        /// The timestamps lie far off, and no other packet confirms them.
        case isDoubtful
    }

    /// A packet arrived.
    ///
    /// - Parameters:
    ///   - packet: Its raw timestamps in 90 kHz ticks.
    ///   - canAnchor: True if a stored feed may be anchored on it: the first sync sample of its leading track.
    ///   - arrival: UTC of its arrival.
    ///   - wallClock: The same by the machine's clock, which signals are judged by; nil if that was not set.
    ///   - signalled: The packet's own UTC; only ``ClockSource/timecode`` asks for it, of video.
    ///   - clocks: Those of all inputs that share theirs, if timestamps agree.
    /// - Returns: Its place, if it has one.
    package mutating func received(
        _ packet: PacketInfo,
        canAnchor: Bool,
        arrival: MediaTime,
        wallClock: MediaTime? = nil,
        signalled: SignalledTime? = nil,
        clocks: inout ArrivalClocks
    ) -> Reception {
        let wallClock = wallClock ?? arrival
        guard var packet = unwrap(packet, arrival: arrival) else { return .dropped }
        if anchor == nil, pace != .live, followed != .timecode {
            gather(packet, canAnchor: canAnchor)
            return .held(packet.times)
        }
        var track = tracks[packet.track] ?? Track(anchor: anchor, decode: packet.decode, arrival: arrival)
        defer { tracks[packet.track] = track }
        let signal = read(signalled, of: track, arrival: wallClock)
        let succession =
            track.hasBegun
            ? succeed(&packet, signal, &track, &clocks) : begin(&track, with: packet, &clocks)
        guard succession != .isDoubtful else {
            repairs.append(.implausibleClock)
            return .dropped
        }
        track.received(packet)
        if let signal { follow(signal, &track, packet, hasJumped: succession == .jumps, &clocks) }
        guard let own = track.anchor ?? anchor else {
            awaitAnchor(&track, packet, &clocks)
            return .held(packet.times)
        }
        track.anchor = own
        if followed != .arrival, pace == .live, !isPlausible(packet.presentation + own, at: wallClock) {
            repairs.append(.implausibleClock)
            return .dropped
        }
        followArrival(&track, packet, &clocks)
        let placed = place(packet.times, of: track)
        end = max(end, placed.decode + track.step)
        return .placed(placed)
    }

    /// Unwraps a packet's timestamps.
    ///
    /// - Returns: Nil for a packet without timestamps, or with two that cannot both be true.
    private mutating func unwrap(_ packet: PacketInfo, arrival: MediaTime) -> Packet? {
        guard let raw = packet.decodeTimestamp ?? packet.presentationTimestamp else {
            repairs.append(.untimedPacket)
            return nil
        }
        // Live UTC is near this machine's clock, even after a long silence or damage.
        if source == .pts, pace == .live {
            unwrapper = TimestampUnwrapper(modulus: unwrapper.modulus, reference: arrival.ticks)
        }
        // Tracks that count clocks of their own may be half a modulus apart.
        if isPlacedByArrival, let track = tracks[packet.trackIndex], track.hasBegun {
            unwrapper = TimestampUnwrapper(modulus: unwrapper.modulus, reference: track.decode.ticks)
        }
        let decode = MediaTime(ticks: unwrapper.unwrap(raw))
        // Both timestamps lie close together, so the one unwraps next to the other.
        var presentation = decode
        if let raw = packet.presentationTimestamp {
            var near = TimestampUnwrapper(modulus: unwrapper.modulus, reference: decode.ticks)
            presentation = MediaTime(ticks: near.unwrap(raw))
        }
        guard abs((presentation - decode).ticks) < Self.mostReordering.ticks else {
            repairs.append(.implausibleClock)
            return nil
        }
        return Packet(track: packet.trackIndex, decode: decode, presentation: presentation, arrival: arrival)
    }

    /// Places a track by its first packet: beside its siblings, unless it lies apart.
    private mutating func begin(
        _ track: inout Track,
        with packet: Packet,
        _ clocks: inout ArrivalClocks
    ) -> Succession {
        // A sibling may have moved it since this track's last packet.
        track.anchor = anchor
        guard isAstray(packet.decode) ?? isApart(packet) else { return .continues }
        guard confirms(packet.decode, &track) else { return .isDoubtful }
        if isPlacedByArrival {
            separate(&track, packet.track, offset: packet.offset, &clocks)
        } else if followed == .arrival {
            reanchor(&track, packet)
        }
        return .jumps
    }

    /// Puts a packet after the one before it of its track, or moves the track where its timestamps have jumped.
    private mutating func succeed(
        _ packet: inout Packet,
        _ signal: SignalFollower.Signal?,
        _ track: inout Track,
        _ clocks: inout ArrivalClocks
    ) -> Succession {
        let (step, waiting) = (packet.decode - track.decode, packet.arrival - track.arrival)
        if isJump(step, after: waiting), step < .zero || isAstray(packet.decode, of: track) ?? true {
            let isExplained =
                followed == .timecode && (signal != nil || isExplained(packet.decode, of: track, after: waiting))
            let needsSecond = !isExplained && (followed != .arrival || pace != .live)
            if needsSecond, !confirms(packet.decode, &track) { return .isDoubtful }
            jump(&track, packet, isSignalled: signal != nil, &clocks)
            return .jumps
        }
        if isPlacedByArrival, !mayBeEarly(packet, &track, clocks) { return .isDoubtful }
        if step > .zero {
            track.step = step
        } else {
            packet.decode = track.decode + MediaTime(ticks: 1)
            repairs.append(.clampedDecodeTime)
        }
        return .continues
    }

    /// The timestamps of a track have jumped.
    private mutating func jump(
        _ track: inout Track,
        _ packet: Packet,
        isSignalled: Bool,
        _ clocks: inout ArrivalClocks
    ) {
        if isPlacedByArrival {
            changeClock(of: &track, packet, &clocks)
        } else if followed == .arrival {
            reanchor(&track, packet)
        } else if followed == .timecode, !isSignalled {
            loseAnchor(&track)
        }
    }

    /// A packet is held, for there is no anchor yet.
    private mutating func awaitAnchor(_ track: inout Track, _ packet: Packet, _ clocks: inout ArrivalClocks) {
        if followed == .timecode { waitForSignal(arrival: packet.arrival) }
        if isPlacedByArrival { settle(&track, packet, &clocks) }
    }

    /// Corrects the place of a track by a packet's arrival, if that says anything.
    private mutating func followArrival(_ track: inout Track, _ packet: Packet, _ clocks: inout ArrivalClocks) {
        if isPlacedByArrival {
            followClock(&track, packet, &clocks)
        } else if followed == .arrival, pace == .paced {
            followPace(&track, packet)
        }
    }
}

extension InputTimeline.Packet {
    /// Arrival minus timestamp.
    var offset: MediaTime { arrival - presentation }
}

extension InputTimeline.Track {
    /// Notes a packet whose timestamps are accepted.
    fileprivate mutating func received(_ packet: InputTimeline.Packet) {
        suspect = nil
        hasBegun = true
        decode = packet.decode
        arrival = packet.arrival
    }
}
