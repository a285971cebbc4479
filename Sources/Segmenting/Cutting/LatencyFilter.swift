import MediaCore
import Timeline

/// The longest that a source's samples came after their UTC lately: what a deadline has to allow for.
///
/// What a feed begins with is often a backlog, which says nothing of what will come: it is forgotten once the feed comes as it
/// plays. One that comes in bursts never does, and is waited for.
struct LatencyFilter: Sendable {
    private let span: MediaTime
    private var start: MediaTime?
    private var previous: MediaTime?
    private var current: MediaTime?
    /// Nil once the feed has come as it plays.
    private var beginning: CalmWatch?

    /// - Parameter span: The maximum is taken over one to two of these.
    init(span: MediaTime) {
        self.init(span: span, beginning: CalmWatch())
    }

    private init(span: MediaTime, beginning: CalmWatch?) {
        self.span = span
        self.beginning = beginning
    }

    /// The maximum, below zero for a feed that is ahead of this machine's clock; zero before the first sample.
    var most: MediaTime {
        guard let previous, let current else { return previous ?? current ?? .zero }
        return max(previous, current)
    }

    /// - Parameters:
    ///   - latency: Arrival minus UTC of a sample.
    ///   - arrival: UTC of its arrival.
    mutating func observe(_ latency: MediaTime, at arrival: MediaTime) {
        if beginning?.observe(-latency, at: arrival) == true { self = LatencyFilter(span: span, beginning: nil) }
        let start = start ?? arrival
        self.start = start
        if arrival - start >= span {
            previous = current
            current = nil
            self.start = arrival
        }
        current = max(current ?? latency, latency)
    }
}
