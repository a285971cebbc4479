package import MediaCore

/// What a rendition has for one slot, from all the tracks that its segments carry.
package struct SegmentContents {
    /// Not a gap.
    package var cut: CutSegment
    /// What is heard with it, where its segments carry both; nil where there is nothing.
    package var sound: CutSegment?
    /// What its sound is decoded with, also while there is none.
    package var soundConfiguration: CodecConfiguration?
    /// Timed metadata; nil where the feed has none and segments do not announce any.
    package var tags: [TimedTag]?

    /// Whether an input has sound for it.
    package var awaitsSound = true

    /// Whether nothing is heard where something should be.
    package var lacksSound: Bool { sound == nil && soundConfiguration != nil && awaitsSound }

    init(_ cut: CutSegment, sound: CutSegment? = nil, tags: [TimedTag]? = nil) {
        self.cut = cut
        self.sound = sound
        soundConfiguration = sound?.configuration
        self.tags = tags
    }
}
