/// The rank of a feed among those that may fill a track: 0 for the input itself, and above it for its backups, of which a
/// lower one is preferred.
///
/// It is public for the reason that ``MediaTime`` is.
public struct SourceRank: Hashable, Strideable, Sendable {
    /// The rank of the input itself.
    public static let primary = SourceRank(0)
    /// The rank of the backup that takes over first.
    public static let firstBackup = SourceRank(1)

    public let value: Int

    public init(_ value: Int) {
        self.value = value
    }

    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.value < rhs.value }
    public func distance(to other: Self) -> Int { other.value - value }
    public func advanced(by distance: Int) -> Self { Self(value + distance) }
}
