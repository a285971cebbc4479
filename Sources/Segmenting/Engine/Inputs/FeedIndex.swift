/// The index of a feed among those of a channel, sorted by ``InputID``.
struct FeedIndex: Hashable, Strideable, Sendable {
    let value: Int

    init(_ value: Int) {
        self.value = value
    }

    static func < (lhs: Self, rhs: Self) -> Bool { lhs.value < rhs.value }
    func distance(to other: Self) -> Int { other.value - value }
    func advanced(by distance: Int) -> Self { Self(value + distance) }
}

extension [ChannelEngine.Feed] {
    /// The indices of all feeds.
    var range: Range<FeedIndex> { FeedIndex(0)..<FeedIndex(count) }
}
