import MediaCore

/// The place of a stored feed on the channel's timeline, which does not depend on arrival.
extension InputTimeline {
    /// Gathers packets until it is known which of their timestamps can be believed, and anchors the feed then.
    mutating func gather(_ packet: Packet, canAnchor: Bool) {
        tracks[packet.track] = Track(hasBegun: true, decode: packet.decode, arrival: packet.arrival)
        if beginning.gather(packet.times, of: packet.track, canAnchor: canAnchor) { anchorBeginning() }
    }

    /// Takes the end of the feed: held packets are placed by the known facts.
    package mutating func ended() {
        guard anchor == nil, pace != .live, followed != .timecode else { return }
        anchorBeginning()
    }

    private mutating func anchorBeginning() {
        guard let (start, found) = beginning.stored.conclude() else { return }
        repairs += [TimelineRepair](repeating: .implausibleClock, count: beginning.stored.damagedCount)
        // The first picture starts the first slot; UTC of a stored feed is a convention anyway.
        let edge = max(grid.start(of: grid.slot(at: openedAt)), end + utcOffset)
        let anchor = followed == .pts ? .zero : edge - utcOffset - start
        for (index, track) in found {
            // Timestamps that are UTC are believed, wherever their siblings are.
            let own = followed == .pts ? anchor : anchor + track.shift
            tracks[index]?.anchor = own
            tracks[index]?.decode = track.newest
            end = max(end, track.newest + own)
        }
        self.anchor = anchor
    }

    /// Returns a held packet, at the time of its neighbour if its own is impossible.
    func mended(_ times: SampleTimes, of index: InputTrackIndex) -> SampleTimes {
        guard pace != .live else { return times }
        let decode = beginning.stored.mended(times.decode, of: index)
        return decode == times.decode ? times : SampleTimes(decode: decode, presentation: decode)
    }

    /// Returns true if a stored packet is far from those read beside it; nil if that is unknown.
    func isAstray(_ decode: MediaTime, of track: Track? = nil) -> Bool? {
        guard pace != .live, followed != .timecode, let anchor = track?.anchor ?? anchor else { return nil }
        return abs((decode + anchor - end).ticks) > StoredBeginning.jump.ticks
    }
}
