package import MediaCore

/// What a rendition has for one slot, from all the tracks that its segments carry.
package struct SegmentContents {
    /// Not a gap.
    package var cut: CutSegment
    /// What is heard with it, where its segments carry both; nil where there is nothing.
    package var audio: CutSegment?
    /// What its audio is decoded with, also while there is none.
    package var audioConfiguration: CodecConfiguration?
    /// Timed metadata; nil where the feed has none and segments do not announce any.
    package var tags: [TimedTag]?
    /// What it says of the programme's splices itself.
    package var sections: [TimedSection] = []

    /// What is subtracted from the times of its cues, which are in UTC, to have them on the media timeline of what plays
    /// along; zero where they are on that themselves.
    package var mediaOffset = MediaTime.zero
    /// The same where it ends: UTC may have been slewed against the media timeline meanwhile.
    package var mediaOffsetAtEnd = MediaTime.zero

    /// What protects all of it.
    package var protection = SegmentProtection.clear
    /// Whether an input has audio for it.
    package var awaitsAudio = true

    /// Whether it is published without media.
    package var isGap: Bool { cut.isGap || protection == .missing }
    /// Whether nothing is heard where something should be.
    package var lacksAudio: Bool { audio == nil && audioConfiguration != nil && awaitsAudio }

    init(_ cut: CutSegment, audio: CutSegment? = nil, tags: [TimedTag]? = nil) {
        self.cut = cut
        self.audio = audio
        audioConfiguration = audio?.configuration
        self.tags = tags
    }
}
