import MediaCore
import Operations
import Playlists

/// What a rendition was to tell besides its media, and could not, since its segments were gaps: it goes with the next that
/// has media.
struct Postponed: Sendable {
    private var tags: [TimedTag] = []
    private var sections: [TimedSection] = []

    /// More than any programme has in the slots that it misses; beyond it the oldest go.
    private static let most = 256

    /// A segment is final.
    ///
    /// - Parameter contents: Gets what was postponed where it has media, and is postponed where it has none.
    /// - Returns: How much is postponed with it.
    mutating func passOn(_ contents: inout SegmentContents) -> Int {
        if contents.isGap {
            let count = (contents.tags?.count ?? 0) + contents.sections.count
            if count == 0 { return 0 }
            tags = (tags + (contents.tags ?? [])).suffix(Self.most)
            sections = (sections + contents.sections).suffix(Self.most)
            return count
        }
        if !tags.isEmpty { contents.tags = tags + (contents.tags ?? []) }
        contents.sections = sections + contents.sections
        (tags, sections) = ([], [])
        return 0
    }
}

extension ChannelEngine {
    /// Slots are released: what of their gaps was to be told is told later.
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
            // Where any rendition has media, players have it from that.
            if most > 0, decision.segments.allSatisfy({ $0.contents.isGap || $0.form.kind.isSparse }) {
                decision.notes += deferred { engine in
                    engine.note(
                        .gap,
                        "ID3 tags or sections of SCTE 35 that segments of the slot were to have (\(most)) go with the next that "
                            + "has media.",
                        slot: decision.number
                    )
                }
            }
            return decision
        }
    }
}
