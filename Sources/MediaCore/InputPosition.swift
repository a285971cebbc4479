/// The position of an input among those of a channel, counted from 0; its backups have the same.
///
/// It is public for the reason that ``MediaTime`` is.
public struct InputPosition: Hashable, Strideable, Sendable {
    public let value: Int

    public init(_ value: Int) {
        self.value = value
    }

    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.value < rhs.value }
    public func distance(to other: Self) -> Int { other.value - value }
    public func advanced(by distance: Int) -> Self { Self(value + distance) }
}
