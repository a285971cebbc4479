import MediaCore
import Playlists

/// What text inside feeds is called, and what it is for.
extension RenditionPlan {
    /// Takes what an operator says of text inside a feed.
    mutating func describe(by attributes: SubtitleAttributes) {
        language = attributes.language
        name = attributes.name ?? name
        if !attributes.characteristics.isEmpty { characteristics = attributes.characteristics }
        isForced = attributes.isForced
        isDefault = attributes.isDefault
        isAutoselect = attributes.isAutoselect
    }

    /// Apple's authoring specification § 4.5: subtitles for who cannot hear have both.
    private static let transcribes = [
        "public.accessibility.transcribes-spoken-dialog", "public.accessibility.describes-music-and-sound",
    ]

    static func characteristics(of track: InputTrack) -> [String] {
        if track.isForHearingImpaired { return transcribes }
        return track.isAudioDescription ? [describesVideo] : []
    }

    /// Nil for the language.
    static func name(of track: InputTrack) -> String? {
        let language = track.language.map { LanguageName.english($0) ?? $0 }
        if case .captions(let channel)? = track.service { return track.name ?? language ?? channel.menuName }
        return track.isForHearingImpaired ? language.map { "\($0) SDH" } ?? "SDH" : nil
    }

    /// Of text, whether viewers have it by this description.
    func isDescribed(by description: RenditionDescription) -> Bool {
        description.language == language && description.isForced == isForced
            && description.characteristics == characteristics
    }

    /// Of text, whether a track of the same language says the same.
    func saysTheSame(as track: InputTrack) -> Bool {
        let captions = [service, track.service].contains { if case .captions? = $0 { true } else { false } }
        return isForcedInput == track.isForced && isForHearingImpaired == track.isForHearingImpaired
            && (!captions || service == track.service)
    }
}
