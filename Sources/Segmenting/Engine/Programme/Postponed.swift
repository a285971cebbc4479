import MediaCore
import Operations
import Playlists

/// The tags and sections that a rendition could not carry, since its segments were gaps, or its parts were published
/// before.
///
/// The next segment or part with media carries them.
struct Postponed: Sendable {
    private var tags: [TimedTag] = []
    private var sections: [TimedSection] = []

    /// The most of each kind, more than any programme has in the slots that it misses; beyond it the oldest go.
    private static let most = 256

    /// Takes a segment that is final.
    ///
    /// - Parameter contents: The segment or part. If it has unpublished media, it gets the postponed tags and sections;
    ///   otherwise its own are postponed.
    /// - Returns: The number of tags and sections that are postponed with it.
    mutating func passOn(_ contents: inout SegmentContents) -> Int {
        if contents.isGap || contents.partCount > 0 {
            let count = (contents.tags?.count ?? 0) + contents.sections.count
            if count == 0 { return 0 }
            tags = (tags + (contents.tags ?? [])).suffix(Self.most)
            sections = (sections + contents.sections).suffix(Self.most)
            contents.tags?.removeAll()
            contents.sections.removeAll()
            return count
        }
        if !tags.isEmpty { contents.tags = tags + (contents.tags ?? []) }
        contents.sections = sections + contents.sections
        (tags, sections) = ([], [])
        return 0
    }
}

extension ChannelEngine {
    /// Postpones the tags of a part that is a gap, or adds the postponed tags to a part with media.
    mutating func passOn(_ part: PartDecision) -> PartDecision {
        guard let place = renditions.firstIndex(where: { $0.id == part.id }) else { return part }
        var part = part
        _ = renditions[place].postponed.passOn(&part.contents)
        return part
    }

    /// Postpones the tags and sections of gaps in slots that are released.
    mutating func passOn(_ decisions: [SlotDecision]) -> [SlotDecision] {
        decisions.map { decision in
            var decision = decision
            var most = 0
            for index in decision.segments.indices {
                let id = decision.segments[index].id
                guard let place = renditions.firstIndex(where: { $0.id == id }) else { continue }
                let count = renditions[place].postponed.passOn(&decision.segments[index].contents)
                most = max(most, count)
            }
            // If any rendition has media, players get them from it.
            if most > 0, decision.segments.allSatisfy({ $0.contents.isGap || $0.form.kind.isSparse }) {
                decision.notes += deferred { engine in
                    engine.note(
                        .gap,
                        "The slot has no media: its ID3 tags or SCTE-35 sections (\(most)) move to the next slot with media.",
                        slot: decision.number
                    )
                }
            }
            return decision
        }
    }
}
