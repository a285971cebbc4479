/// The index of a track among those of a channel, and of the rendition that it becomes.
struct TrackIndex: Hashable, Strideable, Sendable {
    let value: Int

    init(_ value: Int) {
        self.value = value
    }

    static func < (lhs: Self, rhs: Self) -> Bool { lhs.value < rhs.value }
    func distance(to other: Self) -> Int { other.value - value }
    func advanced(by distance: Int) -> Self { Self(value + distance) }
}

extension [ChannelEngine.Rendition] {
    /// All indices.
    var range: Range<TrackIndex> { TrackIndex(0)..<TrackIndex(count) }
}
