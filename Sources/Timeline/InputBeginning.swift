import MediaCore

/// Decides when an input has begun: its packets are enough to place them in time.
///
/// A live feed has begun at the end of its first burst, a stored one when its packets confirm each other. One with
/// timecode begins with its first signal; if none comes in time, it begins like one without.
struct InputBeginning: Sendable {
    /// Key frames that alone carry signals come at least twice in it.
    private static let longestWait = MediaTime(seconds: 10)

    /// The packets of a stored feed; they also say where those lie that were held.
    private(set) var stored = StoredBeginning()
    private var live: LiveBeginning
    /// The time since which a signal has been waited for, and the number of packets since.
    private var waiting: (since: MediaTime, packets: Int)?

    /// - Parameter began: The arrival of the first packet of a live feed, if its packets so far are to be ignored.
    init(since began: MediaTime? = nil) {
        live = LiveBeginning(since: began)
    }

    /// The arrival of the first packet of a live feed; nil before.
    var began: MediaTime? { live.began }

    /// A packet of a live feed arrived.
    ///
    /// - Parameters:
    ///   - offset: Arrival minus timestamp.
    ///   - track: The track that it is of.
    ///   - arrival: UTC.
    /// - Returns: Once the feed has begun, its tracks by the clock that they count.
    mutating func observe(
        _ offset: MediaTime,
        of track: InputTrackIndex,
        at arrival: MediaTime
    ) -> [LiveBeginning.Group]? {
        live.observe(offset, of: track, at: arrival)
    }

    /// A packet of a stored feed was read.
    ///
    /// - Returns: True if the feed has begun.
    mutating func gather(_ times: SampleTimes, of track: InputTrackIndex, canAnchor: Bool) -> Bool {
        stored.received(times, track: track, canAnchor: canAnchor)
        return stored.isKnown
    }

    /// A packet of a feed with timecode came without a signal.
    ///
    /// - Returns: True if the feed begins like one without timecode.
    mutating func awaitSignal(_ pace: InputPace, at arrival: MediaTime) -> Bool {
        var waiting = waiting ?? (since: arrival, packets: 0)
        waiting.packets += 1
        self.waiting = waiting
        if pace == .live { return arrival - waiting.since > Self.longestWait }
        return waiting.packets > StoredBeginning.mostPackets
    }

    /// Notes that a signal gives the place of the feed.
    mutating func signalled() { waiting = nil }
}
