import MediaCore

/// The arrivals of a live feed's tracks during its first burst.
///
/// Tracks that count one clock lie close together at any arrival. One whose timestamps lie elsewhere counts a clock of its
/// own, and must not have the others placed by it.
struct LiveBeginning: Sendable {
    /// Timestamps that are further apart at the same arrival are not of one clock.
    static let apart = MediaTime(seconds: 10)

    /// Tracks of one clock.
    struct Group: Hashable {
        /// Arrival minus timestamp of the packet that was held up least.
        var offset: MediaTime
        var tracks: Set<InputTrackIndex> = []
    }

    private var groups: [Group] = []
    private var bursts: [BurstWatch] = []
    /// The arrival of the first packet; nil before.
    private(set) var began: MediaTime?

    /// - Parameter began: The arrival of the first packet, if the packets so far are to be ignored.
    init(since began: MediaTime? = nil) {
        self.began = began
    }

    /// A packet arrived.
    ///
    /// - Parameters:
    ///   - offset: Arrival minus timestamp.
    ///   - track: Its track.
    ///   - arrival: UTC.
    /// - Returns: The groups, once the burst is over; first the one with most tracks, and among equals the one with the
    ///   first track.
    mutating func observe(_ offset: MediaTime, of track: InputTrackIndex, at arrival: MediaTime) -> [Group]? {
        let began = began ?? arrival
        self.began = began
        let index = groups.firstIndex { abs(($0.offset - offset).ticks) <= Self.apart.ticks } ?? groups.endIndex
        if index == groups.endIndex {
            groups.append(Group(offset: offset))
            bursts.append(BurstWatch())
        }
        groups[index].offset = min(groups[index].offset, offset)
        // The effect of a single wrong timestamp is undone by the next one.
        for other in groups.indices { groups[other].tracks.remove(track) }
        groups[index].tracks.insert(track)
        let isOver = bursts[index].observe(offset, at: arrival) != nil || arrival - began >= BurstWatch.longest
        guard isOver else { return nil }
        return groups.filter { !$0.tracks.isEmpty }.sorted { $0.rank < $1.rank }
    }
}

extension LiveBeginning.Group {
    fileprivate var rank: (Int, Int) { (-tracks.count, tracks.min()?.value ?? 0) }
}
