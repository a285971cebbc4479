package import MediaCore
package import Playlists

/// A slot as it is listed.
package struct ListedSlot: Hashable, Sendable {
    package var number: MediaSequenceNumber
    package var startsDiscontinuity: Bool
    package var segments: [RenditionID: ListedSegment] = [:]
    package var dateRanges = DateRangeLines()
    /// The duration of the longest playlist that has listed it.
    var longestListing = MediaTime.zero

    /// The shortest of its segments, which is its least share in the length of every playlist.
    package var duration: MediaTime { durations.min() ?? .zero }
    var longestDuration: MediaTime { durations.max() ?? .zero }
    package var byteCount: Int { segments.values.reduce(0) { $0 + $1.byteCount } }
    /// True if no rendition has media.
    package var isGap: Bool { segments.values.allSatisfy(\.line.isGap) }
    /// True if every rendition has media: Shaka Player refuses a playlist of gaps, and stalls at a leading one.
    package var canLead: Bool { !segments.isEmpty && !segments.values.contains(where: \.line.isGap) }

    /// Returns true if it can be the slot before: the time in between suits all arithmetic and any filler.
    func precedes(_ other: ListedSlot) -> Bool { number.next == other.number && isNear(other) }

    /// Returns true if no segment of the other begins long before or after those of this slot.
    func isNear(_ other: ListedSlot) -> Bool {
        segments.values.allSatisfy { segment in
            other.segments.values.allSatisfy { other in
                abs((other.line.programDateTime - segment.line.programDateTime).ticks) <= Self.longest.ticks
            }
        }
    }

    /// The largest distance in time, far longer than any slot.
    private static let longest = MediaTime(seconds: 3600)

    private var durations: some Sequence<MediaTime> { segments.values.lazy.map(\.line.duration.time) }
}

extension ListedSlot: WindowSlot {
    package var renditions: Dictionary<RenditionID, ListedSegment>.Keys { segments.keys }
    package func isGap(of id: RenditionID) -> Bool { segments[id]?.line.isGap == true }
}
