package import MediaCore

/// The longest that samples came after their UTC lately: what a deadline has to allow for.
package struct LatencyFilter: Sendable {
    private let span: MediaTime
    private var start: MediaTime?
    private var previous: MediaTime?
    private var current: MediaTime?

    /// - Parameter span: The maximum is taken over one to two of these.
    package init(span: MediaTime) {
        self.span = span
    }

    /// The maximum, below zero for a feed that is ahead of this machine's clock; zero before the first sample.
    package var most: MediaTime {
        guard let previous, let current else { return previous ?? current ?? .zero }
        return max(previous, current)
    }

    /// - Parameters:
    ///   - latency: Arrival minus UTC of a sample.
    ///   - arrival: UTC of its arrival.
    package mutating func observe(_ latency: MediaTime, at arrival: MediaTime) {
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
