/// The number of a slot of the segment grid, counted from 1970: at once media sequence number and file name.
package struct MediaSequenceNumber: Hashable, Comparable, Sendable, CustomStringConvertible {
    package var value: Int64

    package init(_ value: Int64) {
        self.value = value
    }

    package var next: Self { Self(value + 1) }
    package var previous: Self { Self(value - 1) }

    package var description: String { String(value) }

    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.value < rhs.value }
}
