import MediaCore
import Playlists

/// A slot as it is listed.
struct ListedSlot: Sendable {
    var number: MediaSequenceNumber
    var startsDiscontinuity: Bool
    var segments: [RenditionID: ListedSegment] = [:]
    /// The duration of the longest playlist that has listed it.
    var longestListing = MediaTime.zero

    /// The shortest of its segments: what it adds to every playlist at least.
    var duration: MediaTime { durations.min() ?? .zero }
    var longestDuration: MediaTime { durations.max() ?? .zero }
    /// Whether no rendition has media.
    var isGap: Bool { segments.values.allSatisfy(\.line.isGap) }

    private var durations: some Sequence<MediaTime> { segments.values.lazy.map(\.line.duration.time) }
}

/// A segment as its playlist lists it.
struct ListedSegment: Sendable {
    var line: MediaPlaylist.Segment
    /// 0 in a gap.
    var byteCount: Int
    /// The slot whose key and map are in force: its own, or in a gap that of the media before.
    var mediaNumber: MediaSequenceNumber
}
