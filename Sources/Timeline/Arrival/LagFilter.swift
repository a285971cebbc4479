import MediaCore

/// The least delay of a track's packets over the last two spans of ten seconds.
struct LagFilter: Sendable {
    private static let span = MediaTime(seconds: 10)

    private var start: MediaTime?
    private var previous: MediaTime?
    private var current: MediaTime?

    init() {}

    /// The least lag of the current and the previous span; nil before the first packet.
    var least: MediaTime? {
        guard let previous, let current else { return previous ?? current }
        return min(previous, current)
    }

    mutating func observe(_ lag: MediaTime, at arrival: MediaTime) {
        if arrival - (start ?? arrival) >= Self.span {
            previous = current
            current = nil
            start = arrival
        }
        start = start ?? arrival
        current = min(current ?? lag, lag)
    }
}
