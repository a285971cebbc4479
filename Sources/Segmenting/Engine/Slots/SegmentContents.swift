package import MediaCore

/// The media of a rendition for one slot, or for a part of it, from all the tracks that its segments carry.
package struct SegmentContents {
    /// The segment, not a gap.
    package var cut: CutSegment
    /// The audio of segments that carry both; nil if there is none.
    package var audio: CutSegment?
    /// The decoder configuration of its audio, also in segments without audio.
    package var audioConfiguration: CodecConfiguration?
    /// The timed metadata; nil if the feed has none and segments do not announce any.
    package var tags: [TimedTag]?
    /// The sections of splices that the segment carries itself.
    package var sections: [TimedSection] = []

    /// The time that is subtracted from its cues, which are in UTC, to have them on the media timeline of the other
    /// renditions; zero if they are on that already.
    package var mediaOffset = MediaTime.zero
    /// The offset at the segment's end: UTC may be slewed against the media timeline during the segment.
    package var mediaOffsetAtEnd = MediaTime.zero

    /// The protection of all of it.
    package var protection = SegmentProtection.clear
    /// True if an input has audio for it.
    package var awaitsAudio = true

    /// True if it is published without media.
    package var isGap: Bool { cut.isGap || protection == .missing }
    /// The number of parts that are the segment, joined, with all its media and tags; zero if it was not told in parts.
    package var partCount: Int { cut.partCount }
    /// True if its audio is missing.
    package var lacksAudio: Bool { audio == nil && audioConfiguration != nil && awaitsAudio }

    init(_ cut: CutSegment, audio: CutSegment? = nil, tags: [TimedTag]? = nil) {
        self.cut = cut
        self.audio = audio
        audioConfiguration = audio?.configuration
        self.tags = tags
    }
}
