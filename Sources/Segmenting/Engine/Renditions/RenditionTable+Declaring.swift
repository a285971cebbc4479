import MediaCore
import Playlists

/// Declarations of renditions, and their names.
extension RenditionTable {
    /// Returns true if a slot has the first media of a rendition, here or since an earlier run.
    func hasNew(in slot: Slot) -> Bool {
        slot.tracks.contains { place in
            let (cut, rendition) = (slot.segments[place.value], self[place])
            return cut != nil && rendition.id == nil && rendition.plan.carrier == nil
                || rendition.restored != nil && cut?.configuration != nil
                || rendition.plan.carrier != nil && cut?.configuration != nil && !rendition.isDeclaredAudio
        }
    }

    /// Describes the renditions of slots from this one on, and names those that have had no media before.
    ///
    /// - Parameters:
    ///   - slot: The slot.
    ///   - vacant: The places whose renditions have left, and that no feed had last.
    /// - Returns: The descriptions of all renditions, and those of the renditions that get their names here.
    mutating func describe(
        _ slot: Slot,
        vacant: Set<TrackIndex>
    ) -> (all: [RenditionDescription], named: [RenditionDescription]) {
        mustDeclare = false
        let restored = indices.compactMap { place in self[place].restored.map { (place, $0.description) } }
        let descriptions = RenditionPlan.describe(
            map(\.plan),
            configurations: indices.map { slot.configuration(of: $0) },
            names: map(\.id),
            vacant: vacant,
            restored: Dictionary(uniqueKeysWithValues: restored)
        )
        var named: [RenditionDescription] = []
        for place in indices {
            if self[place].id == nil, let description = descriptions[place.value] { named.append(description) }
            self[place].id = descriptions[place.value]?.id
            if self[place].plan.carrier != nil, slot.configuration(of: place) != nil {
                self[place].isDeclaredAudio = true
            }
        }
        return (descriptions.compactMap(\.self), named)
    }

    /// Gives audio a separate rendition if pictures cannot carry it; its decoder configuration is known now.
    mutating func splitAudio(of slot: Slot, _ carriage: Carriage) {
        for place in indices {
            guard let video = self[place].plan.carrier, let audio = slot.configuration(of: place),
                carriage.problem(with: audio, in: self[video].plan.format) != nil
            else { continue }
            self[place].plan.carrier = nil
            self[place].isDeclaredAudio = false
            mustDeclare = true
        }
    }
}
