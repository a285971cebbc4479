import Codecs
import MediaCore
import Playlists

/// Which rendition a track becomes and what it is called: named from content, so the same on every machine.
struct RenditionPlan: Sendable {
    var kind: MediaKind
    var language: String?
    /// What the container says, which configuration may have overridden; nil while that is not known.
    var inputLanguage: String?
    /// Nil while it is not known.
    var inputCodec: InputTrack.Codec?
    /// Of audio, whether the container says that it tells what there is to be seen.
    var isAudioDescription = false
    /// Of text, whether viewers need it whatever language they understand.
    var isForced = false
    /// The same, as the container says it.
    var isForcedInput = false
    /// Of text, whether it tells of sounds, too.
    var isForHearingImpaired = false
    /// Of text that is inside a feed, what it is there.
    var service: TextService?
    /// Of text that comes beside the feeds, which of the declared subtitles it is.
    var subtitles: Int?
    /// What viewers read in a menu.
    var name: String?
    var frameRate: Ratio?
    /// Of audio and text, uniform type identifiers of what it is for.
    var characteristics: [String] = []
    /// Of audio and text, what an operator has said; nil for nothing.
    var isDefault: Bool?
    var isAutoselect = true
    /// Of video, captions that were seen in it.
    var captions: [MultivariantPlaylist.ClosedCaptions] = []
    /// Which of the channel's inputs it comes from.
    var position = 0
    /// Where it stands among the tracks of its container.
    var order = 0
    /// What its segments are made of.
    var format: SegmentFormat
    /// Of audio, the place of the video whose segments carry it; nil where it has its own.
    var carrier: TrackIndex?

    /// A rendition that an earlier run has published.
    init(_ description: RenditionDescription) {
        kind = description.kind
        language = description.language
        name = description.name
        frameRate = description.frameRate
        characteristics = description.characteristics
        isAutoselect = description.isAutoselect
        isForced = description.isForced
        captions = description.captions
        position = description.input
        format = description.format
    }

    /// - Parameters:
    ///   - track: As its container describes it.
    ///   - attributes: What an operator says of it.
    ///   - format: What its segments are made of.
    init(
        _ track: InputTrack,
        attributes: AudioAttributes = AudioAttributes(),
        format: SegmentFormat = .fragmentedMP4
    ) {
        kind = track.kind
        language = attributes.language ?? track.language
        inputLanguage = track.language
        inputCodec = track.codec
        order = track.index
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

    /// Subtitles that come beside the feeds.
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

    /// Takes what a feed and an operator say of a rendition that an earlier run has published.
    ///
    /// The name in menus stays if they do not give one.
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

    /// Notes captions of a video, by what INSTREAM-ID calls them.
    ///
    /// - Returns: Those that were not known.
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

    /// Apple's authoring specification § 8.8: audio that says what there is to be seen.
    static let describesVideo = "public.accessibility.describes-video"

    /// Whether both are the same audio, or text, which encoders send with each rung of a ladder.
    func isSame(as other: RenditionPlan) -> Bool {
        if service != nil, kind == other.kind {
            return service == other.service && inputLanguage == other.inputLanguage
                && isForcedInput == other.isForcedInput
                && isForHearingImpaired == other.isForHearingImpaired
        }
        guard kind == .audio, other.kind == .audio else { return false }
        // Of what an earlier run has published it is only known what viewers were told.
        guard let inputCodec, let otherCodec = other.inputCodec else {
            return language == other.language && characteristics == other.characteristics
        }
        return inputCodec == otherCodec && inputLanguage == other.inputLanguage
            && isAudioDescription == other.isAudioDescription
    }

    /// Describes the renditions of a channel for its multivariant playlist.
    ///
    /// - Parameters:
    ///   - plans: One for each track.
    ///   - configurations: By plan; nil for one that has had no media.
    ///   - existing: By plan; what it is called already, which is for the channel's life.
    ///   - vacant: Plans that nobody has.
    ///   - restored: By plan; what an earlier run has said of one that has had no media since.
    /// - Returns: By plan; nil for one that has had no media, and for audio that a video carries.
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
                input: plan.position,
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

    /// One name is the default in every group (RFC 8216bis § 4.4.6.1.1): that which an operator has said, which viewers
    /// have already, or the first that is not there to describe pictures.
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

    /// What a viewer chooses a member of a group by.
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
    /// What distinguishes its renditions from those of H.264 and AAC; nil for these.
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

    /// CHANNELS (RFC 8216bis § 4.4.6.1): with joint object coding, the complexity index stands for the count.
    fileprivate var channels: String? {
        if case .eac3(let eac3) = self, let complexity = eac3.jointObjectCodingComplexity { return "\(complexity)/JOC" }
        return audio.map { String($0.channels) }
    }
}
