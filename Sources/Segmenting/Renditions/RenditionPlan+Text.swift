import MediaCore
import Playlists

/// The names and purposes of text inside feeds.
extension RenditionPlan {
    /// Takes the configured attributes of text inside a feed.
    mutating func describe(by attributes: SubtitleAttributes) {
        language = attributes.language
        name = attributes.name ?? name
        if !attributes.characteristics.isEmpty { characteristics = attributes.characteristics }
        isForced = attributes.isForced
        isDefault = attributes.isDefault
        isAutoselect = attributes.isAutoselect
    }

    /// The characteristics of subtitles for viewers who cannot hear, who need both (Apple's authoring specification §
    /// 4.5).
    private static let transcribes = [
        "public.accessibility.transcribes-spoken-dialog", "public.accessibility.describes-music-and-sound",
    ]

    static func characteristics(of track: InputTrack) -> [String] {
        if track.isForHearingImpaired { return transcribes }
        return track.isAudioDescription ? [describesVideo] : []
    }

    /// Returns the name of a track in menus; nil to name it by its language.
    static func name(of track: InputTrack) -> String? {
        let language = track.language.map { LanguageName.english($0) ?? $0 }
        if case .captions(let channel)? = track.service { return track.name ?? language ?? channel.menuName }
        return track.isForHearingImpaired ? language.map { "\($0) SDH" } ?? "SDH" : nil
    }

    /// Returns true if viewers have this text by the description.
    func isDescribed(by description: RenditionDescription) -> Bool {
        description.language == language && description.isForced == isForced
            && description.characteristics == characteristics
    }

    /// Returns true if a track of the same language has the same text.
    func hasSameContent(as track: InputTrack) -> Bool {
        let captions = [service, track.service].contains { if case .captions? = $0 { true } else { false } }
        return isForcedInput == track.isForced && isForHearingImpaired == track.isForHearingImpaired
            && (!captions || service == track.service)
    }
}
