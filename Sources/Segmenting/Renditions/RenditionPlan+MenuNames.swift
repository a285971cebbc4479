import MediaCore
import Playlists

/// The names of renditions in menus.
extension RenditionPlan {
    /// Names the members of each group, all of them differently (RFC 8216bis § 4.4.6.1.1).
    ///
    /// Names from the configuration, and names already published, take precedence over names that follow from the feed.
    ///
    /// - Parameters:
    ///   - plans: The plans, one for each track.
    ///   - configurations: The decoder configurations, by plan; nil for one that has had no media.
    ///   - restored: The descriptions by an earlier run, by plan, of those that have had no media since.
    /// - Returns: The names, by plan; nil for one that has had no media, and for video.
    static func menuNames(
        of plans: [RenditionPlan],
        configurations: [CodecConfiguration?],
        restored: [TrackIndex: RenditionDescription]
    ) -> [String?] {
        var groups: [String: UniqueNames] = [:]
        for (index, description) in restored where configurations[index.value] == nil {
            guard let group = description.audioGroup ?? description.subtitlesGroup, let name = description.name else {
                continue
            }
            _ = groups[group, default: UniqueNames()].claim(name)
        }
        let wanted = plans.indices.map { plans[$0].name ?? restored[TrackIndex($0)]?.name }
        let order = plans.indices.filter { wanted[$0] != nil } + plans.indices.filter { wanted[$0] == nil }
        var names = [String?](repeating: nil, count: plans.count)
        for index in order {
            guard let configuration = configurations[index], let group = plans[index].group(configuration) else {
                continue
            }
            names[index] = groups[group, default: UniqueNames()].claim(wanted[index] ?? plans[index].usualName)
        }
        return names
    }

    /// The language in words, or else the kind.
    private var usualName: String {
        if let language, let name = LanguageName.english(language) { return name }
        if let language, language != LanguageName.undetermined { return language }
        return kind == .audio ? "Audio" : "Subtitles"
    }

    /// Returns the group from which a viewer chooses it; nil for video, and for audio that is only carried.
    ///
    /// A group is of one codec, so that a player knows by a variant's codecs if it can play it.
    func group(_ configuration: CodecConfiguration) -> String? {
        if isOnlyCarried { return nil }
        switch kind {
        case .audio: return configuration.family.map { "audio-\($0)" } ?? "audio"
        case .text(.webVTT): return "subtitles"
        case .text(let format): return "subtitles-\(format.rawValue)"
        case .video: return nil
        }
    }
}

extension RenditionDescription {
    /// The description with its language in words, if an earlier version has named it by the tag.
    var namedInWords: RenditionDescription {
        var description = self
        description.captions = captions.map { caption in
            var caption = caption
            if caption.name == caption.instreamID {
                caption.name = CaptionChannel(caption.instreamID)?.menuName ?? caption.name
            }
            return caption
        }
        guard let language, let name, name.hasPrefix(language), let words = LanguageName.english(language) else {
            return description
        }
        let rest = name.dropFirst(language.count)
        if rest.wholeMatch(of: /( SDH)?(-[0-9]+)?/) != nil { description.name = words + rest }
        return description
    }
}
