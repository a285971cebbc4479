import ISOBMFF
import MediaCore
import NIOCore
import Timeline

/// Fillers in place of media, and their bound.
extension Segmenter {
    /// The most bytes of fillers at once, and again for each slot duration that passes.
    ///
    /// Beyond it, a long run of slots that are all due has gaps.
    static let mostFilledBytes = 64 << 20

    /// Allows bytes of fillers in proportion to the time since the last event.
    ///
    /// A stored feed waits until its slots are written; a live feed does not, even if its time jumps often.
    mutating func allowFillers(until time: MediaTime?) {
        guard let time, let now else {
            filledBytes = 0
            return
        }
        let (most, slot) = (Int64(Self.mostFilledBytes), grid.slotDuration.ticks)
        let elapsed = max(0, min(time.ticks - now.ticks, slot))
        filledBytes = max(0, filledBytes - Int(MediaTime.rescale(elapsed, from: slot, to: most)))
    }

    /// Fills a gap, up to the limit of fillers, and hands it out in parts if its track is served in parts.
    mutating func filled(_ gap: CutSegment, track: TrackIndex) -> CutSegment {
        let mayFill =
            hasStarted && filledBytes < Self.mostFilledBytes
            && gap.duration <= grid.longestSegment.value(timescale: gap.timescale)
        let filled = emitWholeSlot(gap, track: track, filler: mayFill ? filler : .gap)
        filledBytes += filled.samples.reduce(0) { $0 + $1.payload.readableBytes }
        return filled
    }
}
