package import MediaCore

/// What becomes of a cue.
package enum CuePlacement: Hashable, Sendable {
    /// It is shown from this segment on. Where key frames do not lie at the edges of slots, it may be in the one beside it.
    case slot(MediaSequenceNumber)
    /// It is over where the newest segment ends: UTC up to which viewers have their subtitles.
    case over(MediaTime)
    /// It begins later than cues are kept for: more than an hour from now.
    case tooEarly
    /// There are as many waiting as are kept.
    case tooMany
}
