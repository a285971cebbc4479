package import MediaCore

/// The description of a rendition in the multivariant playlist.
package struct RenditionDescription: Hashable, Sendable {
    package var id: RenditionID
    package var kind: MediaKind
    /// The index of the channel's input.
    package var input: Int
    package var format: SegmentFormat
    /// The RFC 6381 names of the formats in its segments: one, or two if audio is with the pictures.
    package var codecs: [String]
    /// Video only: the formats that extend its codec.
    package var supplementalCodecs: [String]
    /// Video only.
    package var resolution: Resolution?
    /// Video only: frames per second.
    package var frameRate: Ratio?
    /// Video only.
    package var videoRange: VideoRange
    /// Video only: the captions inside, in the group of all captions.
    package var captions: [MultivariantPlaylist.ClosedCaptions]
    /// Audio only: its group.
    ///
    /// Each group plays with each video.
    package var audioGroup: String?
    /// BCP 47.
    package var language: String?
    /// The name that players show; the identifier if there is none.
    package var name: String?
    /// Audio only: the channels that a listener hears, and the other parameters of CHANNELS.
    package var channels: String?
    /// Audio and text: the uniform type identifiers of its purpose.
    package var characteristics: [String]
    /// Audio only: true for the default of its group.
    package var isDefault: Bool
    /// Audio and text: true if a player may choose it by the viewer's language.
    package var isAutoselect: Bool
    /// Text only: its group, which plays with all videos.
    package var subtitlesGroup: String?
    /// Text only: true if viewers need it, whatever language they understand.
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

    /// Returns the path of a slot's segment, below the channel's name.
    package func segmentPath(_ slot: MediaSequenceNumber) -> String { "\(id)/\(slot).\(format.rawValue)" }
}
