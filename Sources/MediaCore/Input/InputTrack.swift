/// A track that an input carries, as its container describes it.
package struct InputTrack: Hashable, Sendable {
    /// The index in the container; tracks that are made here have indices beyond those.
    package var index: InputTrackIndex
    package var kind: MediaKind
    package var codec: Codec
    /// Codec header of the container as libavformat hands it over: `avcC`, `hvcC` or parameter sets behind start codes,
    /// `av1C`, AudioSpecificConfig, OpusHead, STREAMINFO, the `alac` box; or empty.
    package var header: [UInt8]
    /// Language tag (BCP 47) where the container gives one.
    package var language: String?
    /// Frames a second of video by the container's estimate: FRAME-RATE if its own headers say none.
    package var frameRate: Ratio?
    /// Number of the program that it belongs to, in a transport stream.
    package var program: Int?
    /// True if the container says that it describes the pictures to those who cannot see them.
    package var isAudioDescription = false
    /// True for text that viewers of every language need.
    package var isForced = false
    /// True for text that the container says is for those who cannot hear: it tells of sounds, too.
    package var isForHearingImpaired = false
    /// The kind of text in the feed; nil if it is no text.
    package var service: TextService?
    /// An operator's name for captions.
    package var name: String?
    /// The container's configuration of Dolby Vision, for video.
    package var dolbyVision: DolbyVisionConfiguration?
    /// The rotation that the container demands for video; nil for one that is not carried: mirrored, or at an angle.
    package var rotation: PictureRotation? = PictureRotation.none
    /// The audio object type of AAC that probing found beyond the headers of frames: 5 with SBR, 29 with parametric
    /// stereo as well (ISO/IEC 14496-3 § 1.5.1.1).
    ///
    /// Nil if there is neither, or without probing.
    package var objectTypeHint: UInt8?
    /// True if its samples are encrypted, with an unknown key.
    package var isEncrypted = false
    /// The ``index`` of the track that audio that was encoded here was decoded from.
    package var transcodedFrom: InputTrackIndex?

    /// The coding of the bytes of a packet.
    package enum Codec: Hashable, Sendable {
        case h264, hevc, av1
        case aac, ac3, eac3, mp2, mp3, opus, flac, alac
        case text(TextFormat)
        /// A codec that this packager does not support; the name is FFmpeg's.
        case unsupported(String)
    }

    package init(
        index: InputTrackIndex,
        kind: MediaKind,
        codec: Codec,
        header: [UInt8] = [],
        language: String? = nil,
        frameRate: Ratio? = nil
    ) {
        self.index = index
        self.kind = kind
        self.codec = codec
        self.header = header
        self.language = language
        self.frameRate = frameRate
    }
}
