package import MediaCore

/// The longest that samples came after their UTC lately: what a deadline has to allow for.
package struct LatencyFilter: Sendable {
    private let span: MediaTime
    private var start: MediaTime?
    private var previous = MediaTime.zero
    private var current = MediaTime.zero

    /// - Parameter span: The maximum is taken over one to two of these.
    package init(span: MediaTime) {
        self.span = span
    }

    /// The maximum, never below zero.
    package var most: MediaTime { max(previous, current) }

    /// - Parameters:
    ///   - latency: Arrival minus UTC of a sample.
    ///   - arrival: UTC of its arrival.
    package mutating func observe(_ latency: MediaTime, at arrival: MediaTime) {
        guard let start else {
            self.start = arrival
            current = max(.zero, latency)
            return
        }
        if arrival - start >= span {
            previous = current
            current = .zero
            self.start = arrival
        }
        current = max(current, latency)
    }
}
