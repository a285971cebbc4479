/// The index of a track in its input's container, the same for every packet of the track.
///
/// It is public for the reason that ``MediaTime`` is.
public struct InputTrackIndex: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let value: Int

    public init(_ value: Int) {
        self.value = value
    }

    public var description: String { String(value) }

    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.value < rhs.value }
}
