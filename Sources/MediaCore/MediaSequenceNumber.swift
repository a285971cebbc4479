/// The number of a slot of the segment grid, counted from 1970: at once media sequence number and file name.
package struct MediaSequenceNumber: Hashable, Strideable, Sendable, CustomStringConvertible {
    package var value: Int64

    package init(_ value: Int64) {
        self.value = value
    }

    package var next: Self { Self(value + 1) }
    package var previous: Self { Self(value - 1) }

    package var description: String { String(value) }

    package func distance(to other: Self) -> Int64 { other.value - value }
    package func advanced(by distance: Int64) -> Self { Self(value + distance) }

    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.value < rhs.value }
}
