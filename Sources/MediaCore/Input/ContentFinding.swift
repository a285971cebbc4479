/// A finding of decoding a track, at one time of it.
package struct ContentFinding: Hashable, Sendable {
    /// The ``InputTrack/index`` of the track.
    package var trackIndex: InputTrackIndex
    /// The time on the input's own timeline, before any unwrapping: for distances only.
    package var mediaTime: MediaTime
    package var content: Content

    package enum Content: Hashable, Sendable {
        case picture(PictureChange)
        /// The loudest since the finding before: the root mean square of a frame's loudest channel, in dB of full scale;
        /// minus infinity for digital silence.
        case audio(level: Double)
        /// The audio since the last finding is unknown: packets were left out.
        case unheard
    }

    /// The difference of a picture from those before it.
    package enum PictureChange: Hashable, Sendable {
        /// The picture differs from the one that the track has shown since it last moved.
        case moved
        /// The picture shows the same, but most of it changes slightly: film grain, or an encoder that refines a still
        /// picture.
        case shimmers
        /// The picture is the same, except for differences of encoding.
        case same
    }

    package init(trackIndex: InputTrackIndex, mediaTime: MediaTime, content: Content) {
        self.trackIndex = trackIndex
        self.mediaTime = mediaTime
        self.content = content
    }
}
