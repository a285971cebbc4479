/// The number of a slot of the segment grid, counted from 1970: at once media sequence number and file name.
///
/// It is public for the reason that ``MediaTime`` is.
public struct MediaSequenceNumber: Hashable, Strideable, Sendable, CustomStringConvertible {
    public var value: Int64

    public init(_ value: Int64) {
        self.value = value
    }

    public var next: Self { Self(value + 1) }
    public var previous: Self { Self(value - 1) }

    public var description: String { String(value) }

    public func distance(to other: Self) -> Int64 { other.value - value }
    public func advanced(by distance: Int64) -> Self { Self(value + distance) }

    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.value < rhs.value }
}
