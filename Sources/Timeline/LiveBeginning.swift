import MediaCore

/// The arrivals of a live feed's tracks until the burst is over with which it begins.
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
        var tracks: Set<Int> = []
    }

    private var groups: [Group] = []
    private var bursts: [BurstWatch] = []
    /// The arrival of the first packet; nil before.
    private(set) var began: MediaTime?

    /// - Parameter began: The arrival of the first packet, where what has been seen since is worth nothing.
    init(since began: MediaTime? = nil) {
        self.began = began
    }

    /// A packet arrived.
    ///
    /// - Parameters:
    ///   - offset: Arrival minus timestamp.
    ///   - track: The track that it is of.
    ///   - arrival: UTC.
    /// - Returns: Once the burst is over, the groups; first that of most tracks, and of the first of them where as many
    ///   say otherwise.
    mutating func observe(_ offset: MediaTime, of track: Int, at arrival: MediaTime) -> [Group]? {
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
    fileprivate var rank: (Int, Int) { (-tracks.count, tracks.min() ?? 0) }
}
