/// The index of a track among those of a channel, and of the rendition that it becomes.
package struct TrackIndex: Hashable, Strideable, Sendable {
    package let value: Int

    package init(_ value: Int) {
        self.value = value
    }

    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.value < rhs.value }
    package func distance(to other: Self) -> Int { other.value - value }
    package func advanced(by distance: Int) -> Self { Self(value + distance) }
}

extension [SegmenterTrack] {
    /// All indices.
    var range: Range<TrackIndex> { TrackIndex(0)..<TrackIndex(count) }
}
