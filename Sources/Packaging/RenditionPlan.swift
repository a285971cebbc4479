import Codecs
import MediaCore
import Playlists
import Presentation

/// Which rendition a track becomes and what it is called: named from content, so the same on every machine.
struct RenditionPlan: Sendable {
    var kind: TrackKind
    var language: String?
    /// What viewers read in a menu.
    var name: String?
    var frameRate: Ratio?

    /// Describes the renditions of a channel for its multivariant playlist.
    ///
    /// - Parameter configurations: By plan; nil for one that is left out.
    static func describe(
        _ plans: [RenditionPlan],
        configurations: [CodecConfiguration?]
    ) -> [RenditionDescription?] {
        var ids = UniqueNames()
        var names = UniqueNames()
        var hasDefault = false
        let audioGroup = "audio"
        let hasAudio = configurations.contains { $0?.kind == .audio }
        return zip(plans, configurations).map { plan, configuration in
            guard let configuration else { return nil }
            switch configuration {
            case .avc(let avc):
                let ratio = avc.sampleAspectRatio
                return RenditionDescription(
                    id: RenditionID(ids.claim("video-\(avc.height)p")),
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
                let id = ids.claim(plan.language.map { "audio-\($0)" } ?? "audio")
                let isDefault = !hasDefault
                hasDefault = true
                return RenditionDescription(
                    id: RenditionID(id),
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
        private var taken: Set<String> = []

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
