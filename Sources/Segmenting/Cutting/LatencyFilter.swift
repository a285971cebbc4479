import MediaCore
import Timeline

/// Measures the longest recent delay of a source's samples against their UTC; deadlines allow for it.
///
/// A feed often begins with a backlog, which does not predict the delay of later samples. The backlog is forgotten once
/// samples arrive at the speed of playback. Deadlines also wait for a feed that always arrives in bursts.
struct LatencyFilter: Sendable {
    private let span: MediaTime
    private var start: MediaTime?
    private var previous: MediaTime?
    private var current: MediaTime?
    /// The watch for the end of the backlog; nil once the feed has come as it plays.
    private var beginning: CalmWatch?

    /// - Parameter span: The span of the maximum, which is taken over one to two spans.
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
    ///   - latency: The arrival minus the UTC of a sample.
    ///   - arrival: The time of its arrival, in UTC.
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
