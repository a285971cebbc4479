package import MediaCore

/// A rendition as the multivariant playlist describes it.
package struct RenditionDescription: Hashable, Sendable {
    package var id: RenditionID
    package var kind: MediaKind
    /// The index of the channel's input that it comes from.
    package var input: Int
    package var format: SegmentFormat
    /// RFC 6381 names of what its segments carry: one, or two where audio is with the pictures.
    package var codecs: [String]
    /// Video only; formats that its codec is a base of.
    package var supplementalCodecs: [String]
    /// Video only.
    package var resolution: Resolution?
    /// Video only; frames a second.
    package var frameRate: Ratio?
    /// Video only.
    package var videoRange: VideoRange
    /// Video only; captions that it carries in itself, in the group of all captions.
    package var captions: [MultivariantPlaylist.ClosedCaptions]
    /// Audio only; the group that it is in; each group plays with each video.
    package var audioGroup: String?
    /// BCP 47.
    package var language: String?
    /// The name that players show; the identifier where there is none.
    package var name: String?
    /// Audio only; the channels that a listener hears, and what else CHANNELS may say.
    package var channels: String?
    /// Audio and text; uniform type identifiers of what it is for.
    package var characteristics: [String]
    /// Audio only; whether a player that does not ask gets this one of its group.
    package var isDefault: Bool
    /// Audio and text; whether a player may choose it by the viewer's language.
    package var isAutoselect: Bool
    /// Text only; the group that it is in, which plays with all videos.
    package var subtitlesGroup: String?
    /// Text only; whether viewers need it whatever language they understand.
    package var isForced = false

    package init(
        id: RenditionID,
        kind: MediaKind,
        input: Int = 0,
        format: SegmentFormat = .fragmentedMP4,
        codecs: [String],
        supplementalCodecs: [String] = [],
        resolution: Resolution? = nil,
        frameRate: Ratio? = nil,
        videoRange: VideoRange = .standard,
        captions: [MultivariantPlaylist.ClosedCaptions] = [],
        audioGroup: String? = nil,
        language: String? = nil,
        name: String? = nil,
        channels: String? = nil,
        characteristics: [String] = [],
        isDefault: Bool = false,
        isAutoselect: Bool = true
    ) {
        self.id = id
        self.kind = kind
        self.input = input
        self.format = format
        self.codecs = codecs
        self.supplementalCodecs = supplementalCodecs
        self.resolution = resolution
        self.frameRate = frameRate
        self.videoRange = videoRange
        self.captions = captions
        self.audioGroup = audioGroup
        self.language = language
        self.name = name
        self.channels = channels
        self.characteristics = characteristics
        self.isDefault = isDefault
        self.isAutoselect = isAutoselect
    }
}
