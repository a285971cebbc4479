import ISOBMFF
import MediaCore

/// Checks that the videos of a channel are cut at the same pictures, because players switch between them.
///
/// The watch is pure: slots go in, sentences come out.
struct LadderWatch: Sendable {
    /// The last reported distance of each track from the leading one.
    private var said: [TrackIndex: MediaTime] = [:]
    /// The track that the others are compared with: the first that had media, as long as it is published.
    private var leader: TrackIndex?

    /// Compares the tracks of a slot that was published.
    ///
    /// - Parameters:
    ///   - slot: The whole slot.
    ///   - areInSync: Returns true if two tracks are known to be timed by the same clock.
    /// - Returns: The reports, by track: its segments start elsewhere, or no longer do.
    mutating func observe(
        _ slot: Slot,
        areInSync: (TrackIndex, TrackIndex) -> Bool
    ) -> [(track: TrackIndex, news: String, isAligned: Bool)] {
        let videos = slot.tracks.filter { slot.segments[$0.value]?.isPicture == true }
        // A track that has left is no longer compared with; a gap of a track that has not left is no reason to compare
        // with another.
        if leader.map({ slot.segments[$0.value] == nil }) ?? true {
            leader = videos.first
            said = [:]
        }
        guard let first = leader, let leading = slot.segments[first.value], leading.isPicture else { return [] }
        return videos.compactMap { index in
            guard index != first, let cut = slot.segments[index.value] else { return nil }
            let offset = cut.start.utc - leading.start.utc
            let isOff = abs(offset.ticks) > cut.longestPicture.ticks
            let before = said[index]
            if isOff, before.map({ abs(($0 - offset).ticks) > cut.longestPicture.ticks }) ?? true {
                said[index] = offset
                let side = offset < .zero ? "before" : "behind"
                let cause =
                    areInSync(index, first)
                    ? "its key frames are not aligned with the others'"
                    : "its feed shares no clock with the others, and is aligned by its arrival"
                let news = "\(cause): segment \(slot.number) starts \(abs(offset.milliseconds)) ms \(side) theirs"
                return (track: index, news: news, isAligned: false)
            }
            guard !isOff, before != nil else { return nil }
            said[index] = nil
            return (track: index, news: "its segments start with the others' again", isAligned: true)
        }
    }
}

extension CutSegment {
    /// True if it is video of a feed.
    fileprivate var isPicture: Bool { filler == nil && configuration?.kind == .video }

    /// The duration of its first picture: one frame is no misalignment.
    fileprivate var longestPicture: MediaTime {
        MediaTime(Int64(samples.first?.duration ?? 0), timescale: timescale)
    }
}
