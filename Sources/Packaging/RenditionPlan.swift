import Codecs
import MediaCore
import Playlists
import Presentation

/// Which rendition a track becomes and what it is called: named from content, so the same on every machine.
struct RenditionPlan: Sendable {
    var kind: TrackKind
    var language: String?
    /// What the container says, which configuration may have overridden; nil while that is not known.
    var inputLanguage: String?
    /// What viewers read in a menu.
    var name: String?
    var frameRate: Ratio?
    /// Which of the channel's inputs it comes from.
    var position = 0

    /// A rendition that an earlier run has published.
    init(_ description: RenditionDescription) {
        kind = description.kind
        language = description.language
        name = description.name
        frameRate = description.frameRate
    }

    /// - Parameters:
    ///   - track: As its container describes it.
    ///   - language: Instead of the container's.
    ///   - name: What viewers read in a menu.
    init(_ track: InputTrack, language: String? = nil, name: String? = nil) {
        kind = track.kind
        self.language = language ?? track.language
        inputLanguage = track.language
        self.name = name
        frameRate = track.frameRate
    }

    /// Describes the renditions of a channel for its multivariant playlist.
    ///
    /// - Parameters:
    ///   - plans: One for each track.
    ///   - configurations: By plan; nil for one that has had no media.
    ///   - existing: By plan; what it is called already, which is for the channel's life.
    ///   - restored: By plan; what an earlier run has said of one that has had no media since.
    /// - Returns: By plan; nil for one that has had no media.
    static func describe(
        _ plans: [RenditionPlan],
        configurations: [CodecConfiguration?],
        names existing: [RenditionID?],
        restored: [Int: RenditionDescription] = [:]
    ) -> [RenditionDescription?] {
        var ids = UniqueNames(taken: existing.compactMap { $0?.name })
        var names = UniqueNames(taken: [])
        var hasDefault = restored.values.contains(where: \.isDefault)
        let audioGroup = "audio"
        let hasAudio = plans.indices.contains { (configurations[$0]?.kind ?? restored[$0]?.kind) == .audio }
        return plans.indices.map { index in
            let (plan, configuration) = (plans[index], configurations[index])
            guard let configuration else {
                if let name = restored[index]?.name { _ = names.claim(name) }
                return restored[index]
            }
            switch configuration {
            case .avc(let avc):
                let ratio = avc.sampleAspectRatio
                return RenditionDescription(
                    id: existing[index] ?? RenditionID(ids.claim("video-\(avc.height)p")),
                    kind: .video,
                    codec: configuration.rfc6381,
                    resolution: Resolution(
                        width: avc.width * ratio.numerator / max(1, ratio.denominator),
                        height: avc.height
                    ),
                    frameRate: avc.frameRate ?? plan.frameRate,
                    audioGroup: hasAudio ? audioGroup : nil
                )
            case .aac(let aac):
                let id = existing[index] ?? RenditionID(ids.claim(plan.language.map { "audio-\($0)" } ?? "audio"))
                // One of a group (RFC 8216bis § 4.4.6.1.1): that which viewers have already, or the first.
                let isDefault = restored[index]?.isDefault ?? !hasDefault
                hasDefault = hasDefault || isDefault
                return RenditionDescription(
                    id: id,
                    kind: .audio,
                    codec: configuration.rfc6381,
                    audioGroup: audioGroup,
                    language: plan.language,
                    name: names.claim(plan.name ?? plan.language ?? "Audio"),
                    channels: aac.channels,
                    isDefault: isDefault
                )
            }
        }
    }

    /// Hands out each name once; later claims get a number.
    private struct UniqueNames {
        private var taken: Set<String>

        init(taken: [String]) {
            self.taken = Set(taken)
        }

        mutating func claim(_ name: String) -> String {
            var candidate = name
            var number = 2
            while !taken.insert(candidate).inserted {
                candidate = "\(name)-\(number)"
                number += 1
            }
            return candidate
        }
    }
}
