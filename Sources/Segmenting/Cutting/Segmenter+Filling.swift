import ISOBMFF
import MediaCore
import NIOCore
import Timeline

/// Fillers in place of media, and their bound.
extension Segmenter {
    /// The most bytes of fillers at once, and for each duration of a slot that goes by: a long run of slots that are all due
    /// has gaps besides.
    static let mostFilledBytes = 64 << 20

    /// Allows as many bytes of fillers as belong to the time since something last happened.
    ///
    /// A stored feed waits for what is written; a live one does not, however often its time jumps.
    mutating func allowFillers(until time: MediaTime?) {
        guard let time, let now else {
            filledBytes = 0
            return
        }
        let (most, slot) = (Int64(Self.mostFilledBytes), grid.slotDuration.ticks)
        let elapsed = max(0, min(time.ticks - now.ticks, slot))
        filledBytes = max(0, filledBytes - Int(MediaTime.rescale(elapsed, from: slot, to: most)))
    }

    /// Fills a gap, up to a limit for one step, and hands it out in parts where its track has them.
    mutating func filled(_ gap: CutSegment, track: TrackIndex) -> CutSegment {
        let mayFill =
            hasStarted && filledBytes < Self.mostFilledBytes
            && gap.duration <= grid.longestSegment.value(timescale: gap.timescale)
        let filled = emitWholeSlot(gap, track: track, filler: mayFill ? filler : .gap)
        filledBytes += filled.samples.reduce(0) { $0 + $1.payload.readableBytes }
        return filled
    }
}
