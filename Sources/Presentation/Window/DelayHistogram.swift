package import MediaCore

/// A histogram of delays.
package struct DelayHistogram: Hashable, Sendable {
    /// The upper bounds, in milliseconds; the last place of ``counts`` is for delays above all of them.
    package static let bounds: [Int64] = [50, 100, 250, 500, 1000, 2000, 4000, 8000, 16_000]

    /// The counts, one more than there are bounds.
    package private(set) var counts = Array(repeating: 0, count: bounds.count + 1)
    package private(set) var sum = MediaTime.zero

    package init() {}

    package mutating func add(_ delay: MediaTime) {
        let delay = max(.zero, delay)
        counts[Self.bounds.firstIndex { delay <= MediaTime(milliseconds: $0) } ?? Self.bounds.count] += 1
        sum += delay
    }
}
