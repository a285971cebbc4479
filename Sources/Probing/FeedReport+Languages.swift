/// Players that choose by language need a language for each track, and Apple demands it (authoring
/// specification § 8.10).
extension FeedReport {
    var languageAdvice: [Advice] {
        ([audioLanguageAdvice, captionLanguageAdvice] + textLanguageAdvice).compactMap(\.self)
    }

    private var audioLanguageAdvice: Advice? {
        // Settings count the tracks of the feed; a transcoded track has the setting of its source.
        let sources = tracks.filter { $0.kind == "audio" && $0.transcodedFrom == nil }.sorted { $0.index < $1.index }
        let silent = tracks.filter { $0.kind == "audio" && $0.rendition != nil && $0.language == nil }
        let places = Set(silent.map { $0.transcodedFrom ?? $0.index })
        guard let last = sources.lastIndex(where: { places.contains($0.index) }) else { return nil }
        let list = sources[...last].map { track in
            places.contains(track.index) ? "{ language: en }" : track.language.map { "{ language: \($0) }" } ?? "{}"
        }
        return Advice(setting: "audio: [\(list.joined(separator: ", "))]", text: Self.sentence(of: silent, "audio"))
    }

    private var captionLanguageAdvice: Advice? {
        let channels = tracks.compactMap(\.picture).first?.captions ?? []
        guard !channels.isEmpty else { return nil }
        let list = channels.map { "{ channel: \($0), language: en }" }.joined(separator: ", ")
        let names = channels.joined(separator: " and ")
        return Advice(
            setting: "captions: [\(list)]",
            text: "The captions (\(names)) have no language, so playlists say und; this sets English."
        )
    }

    private var textLanguageAdvice: [Advice] {
        tracks.filter { $0.kind == "text" && $0.rendition != nil && $0.language == nil }.map { track in
            let page = track.service?.split(separator: " ").last.flatMap { Int($0) }
            return Advice(
                setting: page.map { "subtitles: [{ language: en, service: \($0) }]" },
                text: Self.sentence(of: [track], "text", isSettable: page != nil)
            )
        }
    }

    private static func sentence(of tracks: [Track], _ kind: String, isSettable: Bool = true) -> String {
        let numbers = tracks.map { "\($0.index)" }.joined(separator: " and ")
        let subject = tracks.count == 1 ? "Track \(numbers) (\(kind)) has" : "Tracks \(numbers) (\(kind)) have"
        let remedy = isSettable ? "this sets English" : "set it in the encoder"
        return "\(subject) no language, so playlists say und; \(remedy)."
    }
}
