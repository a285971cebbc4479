package import ISOBMFF
package import MediaCore
package import Playlists
import Timeline

/// The content of one rendition for one slot: samples that fill it from boundary to boundary, or nothing.
package struct CutSegment: Sendable {
    package var number: MediaSequenceNumber
    package var start: Boundary
    package var end: Boundary
    /// Units a second of the three fields that follow, and of the samples.
    package var timescale: Int64
    /// The baseMediaDecodeTime, counted from 1970.
    package var decodeTime: Int64
    /// The time from this segment's decode time to the next one's: EXTINF.
    package var duration: Int64
    /// The delay of the cut's decode clock behind the feed's, for video, in units of the timescale.
    package var reordering: Int64 = 0
    /// The value of ``reordering`` at the start of the next segment.
    package var reorderingAtEnd: Int64 = 0
    /// The samples; empty in a gap, and for text.
    package var samples: [FragmentSample]
    /// The cues that are shown in a segment of text, in order, possibly none; nil in a gap, and for other kinds.
    package var cues: [Cue]?
    /// The places of video samples that need pictures from before the first one (HEVC: RASL pictures).
    package var skippedLeading: [Int] = []
    /// True for video whose first pictures are right only after decoding the segment before.
    package var recoversGradually = false
    /// True for video after whose last picture none came for a while, so that it ends where no other picture begins.
    var precedesHole = false
    /// The number of samples that were handed out as parts before it was complete.
    var emitted = 0
    /// The number of parts that are the segment, joined; zero if none were handed out.
    package var partCount = 0
    /// The decoder configuration of the samples; nil in a gap that no part of is media.
    package var configuration: CodecConfiguration?
    /// The duration that the feed's own media covers.
    package var coverage = MediaTime.zero
    /// True if the segment is complete: it starts with a sync sample, ends where the next one starts, and has no hole.
    package var isWhole = false
    /// True for text whose input continued for a part of the slot only: there may have been more cues.
    var lacksInput = false
    /// The kind of its samples, if they are not the feed's own media.
    package var filler: Filler?
    /// The choice of its source; nil if there is no choice.
    package var selection: SourceSelection?

    /// Media that no input delivered.
    package enum Filler: Hashable, Sendable {
        case slate, hold
    }

    package var isGap: Bool { samples.isEmpty && cues == nil }
    /// True for a gap whose first parts were handed out as media.
    var isCutShort: Bool { isGap && configuration != nil }
    /// True if it has a sample that decoding can start at.
    var hasEntry: Bool { samples.dropFirst(recoversGradually ? 1 : 0).contains(where: \.isSync) }
    /// The time of its media, in UTC.
    var span: Range<MediaTime> { start.utc..<max(start.utc, end.utc) }

    /// The duration that playlists give the segment if it is listed without its samples.
    ///
    /// Without samples it ends at the date of the next segment, even if UTC was slewed during the gap.
    package var durationOfGap: SegmentDuration {
        let slewing = (end.utc - end.media) - (start.utc - start.media)
        return SegmentDuration(value: max(duration + slewing.value(timescale: timescale), 1), timescale: timescale)
    }

    /// The offer for the slot, to compare with those of other sources.
    var offer: SourceSelector.Offer { isGap ? .nothing : isWhole && !lacksInput ? .whole : .partial(coverage) }
}
