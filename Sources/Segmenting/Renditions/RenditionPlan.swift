import Codecs
import MediaCore
import Playlists

/// The plan for the rendition of a track, whose name follows from content and is equal on every machine.
struct RenditionPlan: Sendable {
    var kind: MediaKind
    var language: String?
    /// The language in the container, which configuration may have overridden; nil while it is not known.
    var inputLanguage: String?
    /// The codec in the container; nil while it is not known.
    var inputCodec: InputTrack.Codec?
    /// True for audio that describes pictures, as the container says.
    var isAudioDescription = false
    /// True for text that viewers of every language need.
    var isForced = false
    /// True for text that is forced in the container.
    var isForcedInput = false
    /// True for text that describes sounds as well.
    var isForHearingImpaired = false
    /// The service of text inside a feed.
    var service: TextService?
    /// The index of the declared subtitles, for text beside the feeds.
    var subtitles: Int?
    /// The name in menus.
    var name: String?
    var frameRate: Ratio?
    /// The uniform type identifiers of the purposes of audio and text.
    var characteristics: [String] = []
    /// The configured default of audio and text; nil if it is not configured.
    var isDefault: Bool?
    var isAutoselect = true
    /// The captions that were seen in video.
    var captions: [MultivariantPlaylist.ClosedCaptions] = []
    /// The position of its input.
    var position = InputPosition(0)
    /// The place among the tracks of its container.
    var order = 0
    /// The format of its segments.
    var format: SegmentFormat
    /// The index of the video whose segments carry this audio; nil if none do.
    var carrier: TrackIndex?
    /// True if audio that a video carries is a rendition as well, for viewers who choose another video or language.
    var isAlsoSeparate = false
    /// True if viewers get it with the pictures of a video only.
    var isOnlyCarried: Bool { carrier != nil && !isAlsoSeparate }

    /// Plans a rendition that an earlier run has published.
    init(_ description: RenditionDescription) {
        kind = description.kind
        language = description.language
        name = description.name
        // Earlier releases have published implausible ones.
        frameRate = description.frameRate?.plausibleFrameRate
        characteristics = description.characteristics
        isAutoselect = description.isAutoselect
        isForced = description.isForced
        captions = description.captions
        position = InputPosition(description.input)
        format = description.format
    }

    /// - Parameters:
    ///   - track: The track, as its container describes it.
    ///   - attributes: The configured attributes.
    ///   - format: The format of its segments.
    init(
        _ track: InputTrack,
        attributes: AudioAttributes = AudioAttributes(),
        format: SegmentFormat = .fragmentedMP4
    ) {
        kind = track.kind
        language = attributes.language ?? track.language
        inputLanguage = track.language
        inputCodec = track.codec
        order = track.index.value
        isAudioDescription = track.isAudioDescription
        isForced = track.isForced
        isForcedInput = track.isForced
        isForHearingImpaired = track.isForHearingImpaired
        service = track.service
        name = attributes.name ?? Self.name(of: track)
        frameRate = track.frameRate
        characteristics = attributes.characteristics ?? Self.characteristics(of: track)
        isDefault = attributes.isDefault
        isAutoselect = attributes.isAutoselect
        self.format = format
    }

    /// Plans subtitles that come separately from the feeds.
    init(_ attributes: SubtitleAttributes, _ text: TextFormat, subtitles: Int) {
        kind = .text(text)
        language = attributes.language
        inputCodec = .text(text)
        isForced = attributes.isForced
        self.subtitles = subtitles
        name = attributes.name
        characteristics = attributes.characteristics
        isDefault = attributes.isDefault
        isAutoselect = attributes.isAutoselect
        format = text == .webVTT ? .webVTT : .fragmentedMP4
    }

    /// Takes the values of the feed and the configuration for a rendition that an earlier run has published.
    ///
    /// The name in menus stays if they give none.
    mutating func takeOver(_ plan: RenditionPlan) {
        name = plan.name ?? name
        inputLanguage = plan.inputLanguage
        inputCodec = plan.inputCodec
        order = plan.order
        isAudioDescription = plan.isAudioDescription
        isForced = plan.isForced
        isForcedInput = plan.isForcedInput
        isForHearingImpaired = plan.isForHearingImpaired
        service = plan.service
        subtitles = plan.subtitles
        frameRate = frameRate ?? plan.frameRate
        characteristics = plan.characteristics
        isDefault = plan.isDefault
        isAutoselect = plan.isAutoselect
        let seen = captions.filter { caption in !plan.captions.contains { $0.instreamID == caption.instreamID } }
        captions = plan.captions + seen
    }

    /// Notes captions of a video, by their INSTREAM-ID.
    ///
    /// - Returns: The captions that were not known.
    mutating func addCaptions(_ channels: [String]) -> [String] {
        let known = captions
        let new = channels.filter { channel in !known.contains { $0.instreamID == channel } }
        var names = UniqueNames(taken: known.map(\.name))
        captions += new.map { channel in
            MultivariantPlaylist.ClosedCaptions(
                groupID: ChannelEngine.Configuration.captionsGroup,
                name: names.claim(CaptionChannel(channel)?.menuName ?? channel),
                instreamID: channel
            )
        }
        return new
    }

    var label: String { "\(kind)" + (language.map { " (\($0))" } ?? "") }

    /// The characteristic of audio that describes pictures (Apple's authoring specification § 8.8).
    static let describesVideo = "public.accessibility.describes-video"

    /// Returns true if both are the same audio, or text, which encoders send with each rung of a ladder.
    func isSame(as other: RenditionPlan) -> Bool {
        if service != nil, kind == other.kind {
            return service == other.service && inputLanguage == other.inputLanguage
                && isForcedInput == other.isForcedInput
                && isForHearingImpaired == other.isForHearingImpaired
        }
        guard kind == .audio, other.kind == .audio else { return false }
        // An earlier run's renditions are known only by the attributes that viewers have.
        guard let inputCodec, let otherCodec = other.inputCodec else {
            return language == other.language && characteristics == other.characteristics
        }
        return inputCodec == otherCodec && inputLanguage == other.inputLanguage
            && isAudioDescription == other.isAudioDescription
    }

    /// Describes the renditions of a channel for its multivariant playlist.
    ///
    /// - Parameters:
    ///   - plans: The plans, one for each track.
    ///   - configurations: The decoder configurations, by plan; nil for one that has had no media.
    ///   - existing: The names that they have already, by plan, which are for the channel's life.
    ///   - vacant: The plans that no input has.
    ///   - restored: The descriptions by an earlier run, by plan, of those that have had no media since.
    /// - Returns: The descriptions, by plan; nil for one that has had no media, and for audio that is only carried.
    static func describe(
        _ plans: [RenditionPlan],
        configurations: [CodecConfiguration?],
        names existing: [RenditionID?],
        vacant: Set<TrackIndex> = [],
        restored: [TrackIndex: RenditionDescription] = [:]
    ) -> [RenditionDescription?] {
        let ids = names(of: plans, configurations: configurations, existing: existing, vacant: vacant)
        let menuNames = menuNames(of: plans, configurations: configurations, restored: restored)
        var descriptions = plans.indices.map { index -> RenditionDescription? in
            let plan = plans[index]
            guard let configuration = configurations[index] else { return restored[TrackIndex(index)] }
            guard let id = ids[index] else { return nil }
            var description = RenditionDescription(
                id: id,
                kind: plan.kind,
                input: plan.position.value,
                format: plan.format,
                codecs: [configuration.rfc6381]
            )
            switch plan.kind {
            case .video:
                if let picture = configuration.picture { plan.describe(picture, in: &description) }
                description.supplementalCodecs = configuration.supplementalCodecs
                let audio = plans.indices.first { plans[$0].carrier == TrackIndex(index) }.flatMap {
                    configurations[$0]
                }
                if let audio { description.codecs.append(audio.rfc6381) }
            case .audio:
                description.audioGroup = plan.group(configuration)
                plan.describe(menuNames[index], in: &description)
                description.channels = configuration.channels
                description.isDefault = restored[TrackIndex(index)]?.isDefault ?? false
            case .text:
                description.subtitlesGroup = plan.group(configuration)
                plan.describe(menuNames[index], in: &description)
                description.isForced = plan.isForced
                description.isDefault = plan.isDefault ?? false
            }
            return description
        }
        chooseDefault(of: &descriptions, plans)
        return descriptions
    }

    /// Makes one name the default in every group (RFC 8216bis § 4.4.6.1.1): the configured name, the one that viewers
    /// have already, or the first that does not describe pictures.
    private static func chooseDefault(of descriptions: inout [RenditionDescription?], _ plans: [RenditionPlan]) {
        let audio = descriptions.indices.filter { descriptions[$0]?.audioGroup != nil }
        let free = audio.filter { plans[$0].isDefault == nil }
        let chosen =
            audio.first { plans[$0].isDefault == true }
            ?? free.first { descriptions[$0]?.isDefault == true }
            ?? free.first { plans[$0].characteristics.isEmpty }
            ?? free.first
        let name = chosen.flatMap { descriptions[$0]?.name }
        for index in audio {
            let isDefault = descriptions[index]?.name == name
            descriptions[index]?.isDefault = isDefault
        }
    }

    /// Sets the attributes that viewers choose a member of a group by.
    private func describe(_ menuName: String?, in description: inout RenditionDescription) {
        description.language = language
        description.name = menuName
        description.characteristics = characteristics
        description.isAutoselect = isAutoselect
    }

    private func describe(_ picture: PictureFormat, in description: inout RenditionDescription) {
        description.resolution = Resolution(picture)
        description.frameRate = picture.frameRate ?? frameRate
        description.videoRange = VideoRange(picture)
        description.captions = captions
    }
}

extension CodecConfiguration {
    /// The codec family that tells its renditions from those of H.264 and AAC; nil for these.
    var family: String? {
        switch self {
        case .avc, .aac, .text: nil
        case .hevc: "hevc"
        case .av1: "av1"
        case .ac3: "ac3"
        case .eac3: "eac3"
        case .mpegAudio(let audio): "mp\(audio.layer)"
        case .opus: "opus"
        case .flac: "flac"
        case .alac: "alac"
        }
    }

    /// The value of CHANNELS (RFC 8216bis § 4.4.6.1): with joint object coding, the complexity index stands for the
    /// count.
    fileprivate var channels: String? {
        if case .eac3(let eac3) = self, let complexity = eac3.jointObjectCodingComplexity { return "\(complexity)/JOC" }
        return audio.map { String($0.channels) }
    }
}
