/// A place in the order of a channel's publications, counted from 1 in each process.
package struct StreamPosition: Comparable, Hashable, Sendable {
    private var value: UInt64

    /// The place before the first publication.
    static let start = StreamPosition(value: 0)

    var next: StreamPosition { StreamPosition(value: value + 1) }

    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.value < rhs.value }
}
