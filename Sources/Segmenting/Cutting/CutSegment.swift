package import ISOBMFF
package import MediaCore
package import Playlists
import Timeline

/// What one rendition has for one slot: samples that fill it from boundary to boundary, or nothing.
package struct CutSegment: Sendable {
    package var number: MediaSequenceNumber
    package var start: Boundary
    package var end: Boundary
    /// Units a second of the three fields that follow and of the samples.
    package var timescale: Int64
    /// baseMediaDecodeTime, counted from 1970.
    package var decodeTime: Int64
    /// From this segment's decode time to the next one's: EXTINF.
    package var duration: Int64
    /// Of video, how much later than in the feed a sample is decoded by the cut's decode clock, in units of the timescale.
    package var reordering: Int64 = 0
    /// The same where the next segment begins.
    package var reorderingAtEnd: Int64 = 0
    /// Empty in a gap, and of text.
    package var samples: [FragmentSample]
    /// Of text, what is shown in it, in order, which may be nothing; nil in a gap, and of other kinds.
    package var cues: [Cue]?
    /// Of video, places of samples that need pictures from before the first one (HEVC: RASL pictures).
    package var skippedLeading: [Int] = []
    /// Of video, whether its first pictures are right only for who has decoded the segment before.
    package var recoversGradually = false
    /// How many of the samples were told as parts before it was complete.
    var told = 0
    /// What the samples are decoded with; nil in a gap.
    package var configuration: CodecConfiguration?
    /// How much of it the feed's own media covers.
    package var coverage = MediaTime.zero
    /// Whether nothing is missing: it starts with a sync sample, ends where the next one starts, and has no hole.
    package var isWhole = false
    /// What its samples are if not the feed's own media.
    package var filler: Filler?
    /// How its source was chosen; nil where there is no choice.
    package var selection: SourceSelection?

    /// Media that no input delivered.
    package enum Filler: Hashable, Sendable {
        case slate, hold
    }

    package var isGap: Bool { samples.isEmpty && cues == nil }

    /// Its duration where it is listed without its samples.
    ///
    /// No sample says how long it lasts: it ends where what follows is dated, though UTC was slewed meanwhile.
    package var durationOfGap: SegmentDuration {
        let slewing = (end.utc - end.media) - (start.utc - start.media)
        return SegmentDuration(value: max(duration + slewing.value(timescale: timescale), 1), timescale: timescale)
    }

    /// What it is worth against what other sources have for the slot.
    var offer: SourceSelector.Offer { isGap ? .nothing : isWhole ? .whole : .partial(coverage) }
}
