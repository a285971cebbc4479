import MediaCore

/// The longest that a source's samples came after their UTC lately: what a deadline has to allow for.
///
/// What a feed begins with is often a backlog: it comes late, and ever less so, until the feed comes as it plays. A feed that
/// is late again after that comes in bursts, and needs to be waited for; else the backlog says nothing of what will come.
struct LatencyFilter: Sendable {
    private let span: MediaTime
    private var start: MediaTime?
    private var previous: MediaTime?
    private var current: MediaTime?
    /// The least latency so far and its arrival; nil before the first sample, and once what began has ended.
    private var least: (latency: MediaTime, at: MediaTime)?
    private var hasBegun = false

    /// For so long a feed comes as it plays until it has begun.
    private static let calm = MediaTime(seconds: 1)
    /// What is less is jitter.
    private static let jitter = MediaTime(milliseconds: 500)

    /// - Parameter span: The maximum is taken over one to two of these.
    init(span: MediaTime) {
        self.span = span
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
        if !hasBegun { begin(latency, at: arrival) }
        let start = start ?? arrival
        self.start = start
        if arrival - start >= span {
            previous = current
            current = nil
            self.start = arrival
        }
        current = max(current ?? latency, latency)
    }

    private mutating func begin(_ latency: MediaTime, at arrival: MediaTime) {
        guard let least, latency >= least.latency - Self.jitter else {
            self.least = (latency, arrival)
            return
        }
        if latency > least.latency + Self.jitter {
            hasBegun = true
        } else if arrival - least.at >= Self.calm {
            self = LatencyFilter(span: span)
            hasBegun = true
        }
    }
}
