package import MediaCore

/// How often something took how long.
package struct DelayHistogram: Hashable, Sendable {
    /// In milliseconds; the last place counts what took longer than all of them.
    package static let bounds: [Int64] = [50, 100, 250, 500, 1000, 2000, 4000, 8000, 16_000]

    /// One more than there are bounds.
    package private(set) var counts = Array(repeating: 0, count: bounds.count + 1)
    package private(set) var sum = MediaTime.zero

    package init() {}

    package mutating func add(_ delay: MediaTime) {
        let delay = max(.zero, delay)
        counts[Self.bounds.firstIndex { delay <= MediaTime(milliseconds: $0) } ?? Self.bounds.count] += 1
        sum += delay
    }
}
