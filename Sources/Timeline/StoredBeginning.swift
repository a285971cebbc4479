import MediaCore

/// The beginning of a stored feed in its own time, by what most of its packets and tracks say.
///
/// A timestamp that is damaged in the middle of a feed is recognized by the one before it. The first ones have nothing
/// before them, so they are gathered until they bear each other out: a single wrong one must not move a whole feed.
struct StoredBeginning: Sendable {
    /// The greatest distance of successive timestamps of a feed; beyond it they have jumped.
    static let jump = MediaTime(seconds: 10)
    /// The most packets of a stored feed that are held.
    static let mostPackets = 1000
    /// The number of packets that may pass until tracks that contradict each other have shown which of them is right.
    private static let mostContradicted = 64

    /// Decode times, by track, in the order in which they came.
    private var times: [InputTrackIndex: [MediaTime]] = [:]
    private var span: ClosedRange<MediaTime>?
    private var packets = 0
    /// The first sync sample of the leading track.
    private var first: (track: InputTrackIndex, times: SampleTimes, packets: Int)?

    mutating func received(_ times: SampleTimes, track: InputTrackIndex, canAnchor: Bool) {
        packets += 1
        self.times[track, default: []].append(times.decode)
        span = min(span?.lowerBound ?? times.decode, times.decode)...max(span?.upperBound ?? times.decode, times.decode)
        if canAnchor, first == nil { first = (track, times, packets) }
    }

    /// True if the beginning is known: packets do not contradict each other, or it has been decided which are right.
    var isKnown: Bool {
        if packets > Self.mostPackets { return true }
        guard let first, packets > 1 else { return false }
        if let span, span.upperBound - span.lowerBound <= Self.jump { return true }
        return packets - first.packets > Self.mostContradicted || times.keys.allSatisfy { newest(of: $0) != nil }
    }

    /// Returns the presentation time of the feed's first picture, in the leading track's time, and for each track its
    /// newest plausible decode time, with the shift to the leading track's time.
    ///
    /// The result is nil until a packet has arrived.
    func conclude() -> (start: MediaTime, tracks: [InputTrackIndex: (newest: MediaTime, shift: MediaTime)])? {
        let newest = times.compactMap { track, own in (self.newest(of: track) ?? own.last).map { (track, $0) } }
        let leader = first?.track ?? times.keys.min()
        guard let leader, let lead = newest.first(where: { $0.0 == leader })?.1 else { return nil }
        let start =
            if let first, isBelievable(first.times.decode, of: leader) {
                first.times.presentation
            } else {
                times[leader]?.first { isBelievable($0, of: leader) } ?? lead
            }
        // The tracks are interleaved: the newest packets of each are about the same moment.
        let tracks = newest.map { track, time in
            (track, (newest: time, shift: abs((time - lead).ticks) <= Self.jump.ticks ? .zero : lead - time))
        }
        return (start, Dictionary(uniqueKeysWithValues: tracks))
    }

    /// Returns a decode time unchanged, or that of its neighbour if no other packet of its track confirms it.
    func mended(_ decode: MediaTime, of track: InputTrackIndex) -> MediaTime {
        guard let times = times[track], !isBelievable(decode, of: track), let place = times.firstIndex(of: decode)
        else { return decode }
        let following = times[place...].first { isBelievable($0, of: track) }
        return following ?? times[..<place].last { isBelievable($0, of: track) } ?? decode
    }

    /// The number of timestamps that no other confirms.
    var damagedCount: Int {
        times.reduce(0) { sum, track in sum + track.value.count { !isBelievable($0, of: track.key) } }
    }

    /// Returns true if another packet of its track has about the same time, or, without one, another track.
    private func isBelievable(_ decode: MediaTime, of track: InputTrackIndex) -> Bool {
        guard let own = times[track], own.count > 1 else {
            let others = times.filter { $0.key != track }.values.joined()
            return others.isEmpty || others.contains { abs(($0 - decode).ticks) <= Self.jump.ticks }
        }
        return own.count { abs(($0 - decode).ticks) <= Self.jump.ticks } > 1
    }

    /// The newest decode time of a track that another one confirms.
    private func newest(of track: InputTrackIndex) -> MediaTime? {
        guard let own = times[track], own.count > 1 else { return nil }
        return own.last { isBelievable($0, of: track) }
    }
}
