import MediaCore
import Playlists

/// Declarations of renditions, and their names.
extension RenditionTable {
    /// Returns true if a slot has the first media of a rendition, here or since an earlier run.
    func hasNew(in slot: Slot) -> Bool {
        slot.tracks.contains { place in
            let (cut, rendition) = (slot.segments[place.value], self[place])
            return cut != nil && rendition.id == nil && !rendition.plan.isOnlyCarried
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

    /// Makes carried audio a rendition as well if other video is without sound, if there is other audio to choose, or if
    /// its video is withdrawn.
    ///
    /// The video still carries it for viewers whose players read the multivariant playlist before.
    mutating func separateAudio(of slot: Slot, withdrawn: [TrackIndex]) {
        for place in indices {
            guard let video = self[place].plan.carrier, self[place].plan.isOnlyCarried,
                slot.configuration(of: place) != nil
            else { continue }
            let hasOthers = indices.contains { other in
                other != place && other != video && !self[other].plan.kind.isSparse
                    && slot.configuration(of: other) != nil
            }
            let isLeftAlone =
                withdrawn.contains(video) && !withdrawn.contains(place)
                && slot.tracks.contains(video) && slot.segments[video.value]?.isGap ?? true
            guard hasOthers || isLeftAlone else { continue }
            self[place].plan.isAlsoSeparate = true
            self[place].isAwaited = true
        }
    }
}
