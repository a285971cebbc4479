import Codecs
import MediaCore
import Playlists

/// The names of renditions, which follow from content: every machine finds the same names, even if media comes in
/// another order.
extension RenditionPlan {
    /// Names the renditions of a channel in the order of its inputs and of their tracks.
    ///
    /// - Parameters:
    ///   - plans: The plans, one for each track.
    ///   - configurations: The decoder configurations, by plan; nil for one that has had no media.
    ///   - existing: The names that they have already, by plan, which are for the channel's life.
    ///   - vacant: The plans that no input has.
    /// - Returns: The names, by plan; nil for one that has had no media, and for audio that is only carried.
    static func names(
        of plans: [RenditionPlan],
        configurations: [CodecConfiguration?],
        existing: [RenditionID?],
        vacant: Set<TrackIndex> = []
    ) -> [RenditionID?] {
        var taken = Set(existing.compactMap { $0?.name })
        var names = existing
        var positions: Set<InputPosition> = []
        // True while a video that comes first may turn out to be of the same size.
        var hasUnknown = false
        var videoCounts: [InputPosition: Int] = [:]
        let order = plans.indices.filter { !vacant.contains(TrackIndex($0)) }.sorted {
            (plans[$0].position, plans[$0].order, $0) < (plans[$1].position, plans[$1].order, $1)
        }
        for index in order {
            let plan = plans[index]
            positions.insert(plan.position)
            let place = plan.position.value + videoCounts[plan.position, default: 0] + 1
            if plan.kind == .video { videoCounts[plan.position, default: 0] += 1 }
            guard existing[index] == nil, !plan.isOnlyCarried else { continue }
            guard let base = plan.baseName(configurations[index]) else {
                hasUnknown = hasUnknown || plan.kind == .video
                continue
            }
            // An input that was never there may have any tracks.
            let isCertain = !hasUnknown && positions.isSuperset(of: InputPosition(0)...plan.position)
            let numbered = "\(base)-\(place)"
            var name = base
            if plan.kind == .video, place > 1, !isCertain || taken.contains(base), !taken.contains(numbered) {
                name = numbered
            }
            var unique = UniqueNames(taken: Array(taken))
            name = unique.claim(name)
            taken.insert(name)
            if configurations[index] != nil { names[index] = RenditionID(name) }
        }
        return names
    }

    /// Returns the name without a number; nil while it is not known.
    ///
    /// Video is named by its media, audio and text also by their container before there is any.
    private func baseName(_ configuration: CodecConfiguration?) -> String? {
        let content: String
        switch kind {
        case .video:
            guard let picture = configuration?.picture else { return nil }
            content = "video-\(picture.height)p"
        case .audio, .text:
            guard configuration != nil || inputCodec != nil else { return nil }
            content = language.map { "\(kind)-\($0)" } ?? "\(kind)"
        }
        let family = if let configuration { configuration.family } else { inputCodec?.family }
        // The codecs of nearly all channels need no mention.
        return family.map { "\(content)-\($0)" } ?? content
    }
}

extension InputTrack.Codec {
    /// The ``CodecConfiguration/family`` of audio.
    fileprivate var family: String? {
        switch self {
        case .ac3: "ac3"
        case .eac3: "eac3"
        case .mp2: "mp2"
        case .mp3: "mp3"
        case .opus: "opus"
        case .flac: "flac"
        case .alac: "alac"
        default: nil
        }
    }
}
