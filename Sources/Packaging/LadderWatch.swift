import ISOBMFF
import MediaCore

/// Watches whether the videos of a channel are cut at the same pictures, as players that switch between them need it.
///
/// Pure: slots in, sentences out.
struct LadderWatch: Sendable {
    /// By track, how far it was from the one that leads when that was last said.
    private var said: [Int: MediaTime] = [:]

    /// A slot was published.
    ///
    /// - Returns: By track, what there is to be said of it: that its segments start elsewhere, or no longer do.
    mutating func observe(_ slot: Slot) -> [(track: Int, news: String)] {
        let videos = slot.segments.indices.filter { index in
            guard let cut = slot.segments[index] else { return false }
            return cut.filler == nil && cut.configuration?.kind == .video
        }
        guard let leader = videos.first.flatMap({ slot.segments[$0] }) else { return [] }
        return videos.dropFirst().compactMap { index in
            guard let cut = slot.segments[index] else { return nil }
            let offset = cut.start.utc - leader.start.utc
            let isOff = abs(offset.ticks) > cut.longestPicture.ticks
            let before = said[index]
            if isOff, before.map({ abs(($0 - offset).ticks) > cut.longestPicture.ticks }) ?? true {
                said[index] = offset
                let side = offset < .zero ? "before" : "behind"
                return (
                    index,
                    "its key frames are not aligned with the others': segment \(slot.number) starts "
                        + "\(abs(offset.milliseconds)) ms \(side) theirs"
                )
            }
            guard !isOff, before != nil else { return nil }
            said[index] = nil
            return (index, "its key frames are aligned with the others' again")
        }
    }
}

extension CutSegment {
    /// How long its first picture lasts, or half its second: one frame is no misalignment.
    fileprivate var longestPicture: MediaTime {
        MediaTime(Int64(samples.first?.duration ?? 0), timescale: timescale)
    }
}
