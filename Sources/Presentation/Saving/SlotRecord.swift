import Playlists

/// A slot as a line of a file that has a line of another slot before it: keys that are as there are left out.
///
/// The description of keys is longer than all else, and seldom changes.
package struct SlotRecord: Hashable, Sendable {
    /// The slot; its segments are without the keys that follow from ``sameKeys``.
    var slot: ListedSlot
    /// Renditions whose segment and map have the keys of the slot before.
    var sameKeys: Set<RenditionID> = []

    /// - Parameters:
    ///   - slot: The slot.
    ///   - before: The slot of the line before; nil if there is none.
    package init(_ slot: ListedSlot, after before: ListedSlot?) {
        self.slot = slot
        for (id, segment) in slot.segments
        where segment.keys != ListedSegment.Keys() && segment.keys == before?.segments[id]?.keys {
            sameKeys.insert(id)
            self.slot.segments[id]?.keys = ListedSegment.Keys()
        }
    }

    /// Returns the slot with all its keys.
    ///
    /// - Parameter before: The slot of the line before.
    /// - Returns: The slot; segments whose keys are not repeated have those of the slot before.
    /// - Throws: ``SavedWindow/InapplicableChange`` if that lacks keys.
    package func slot(after before: ListedSlot?) throws(SavedWindow.InapplicableChange) -> ListedSlot {
        var slot = slot
        for id in sameKeys {
            guard let keys = before?.segments[id]?.keys, keys != ListedSegment.Keys(), slot.segments[id] != nil else {
                throw SavedWindow.InapplicableChange()
            }
            slot.segments[id]?.keys = keys
        }
        return slot
    }
}

extension SlotRecord: Codable {
    private enum CodingKeys: String, CodingKey {
        case slot, sameKeys
    }

    /// - Throws: `DecodingError`, also if numbers are beyond reason.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        slot = try container.decode(ListedSlot.self, forKey: .slot)
        sameKeys = Set(try container.decodeIfPresent([RenditionID].self, forKey: .sameKeys) ?? [])
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(slot, forKey: .slot)
        if !sameKeys.isEmpty { try container.encode(sameKeys.sorted { $0.name < $1.name }, forKey: .sameKeys) }
    }
}

extension ListedSegment {
    /// The keys of a segment, and of its initialization section.
    fileprivate struct Keys: Equatable {
        var ofMedia: [EncryptionKey] = []
        var ofMap: [EncryptionKey] = []
    }

    fileprivate var keys: Keys {
        get { Keys(ofMedia: line.keys, ofMap: line.map?.keys ?? []) }
        set {
            line.keys = newValue.ofMedia
            line.map?.keys = newValue.ofMap
        }
    }
}
