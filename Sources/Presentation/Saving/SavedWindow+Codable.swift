import MediaCore
import Playlists

/// The field names are the journal's format.
extension SavedWindow: Codable {
    private enum CodingKeys: String, CodingKey {
        case renditions, sessionKeys, meters, slots
        case firstNumber = "first"
        case lastNumber = "last"
        case discontinuitySequence = "discontinuities"
        case carriedRanges = "dateRanges"
        case splicePlan = "splices"
    }

    /// - Throws: `DecodingError`, also if numbers contradict each other or are beyond reason.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        renditions = try container.decode([RenditionDescription].self, forKey: .renditions)
        sessionKeys = try container.decode([SavedKey].self, forKey: .sessionKeys).map(\.key)
        meters = try container.decode([RenditionID: BandwidthMeter].self, forKey: .meters)
        let slots = try container.decode([ListedSlot].self, forKey: .slots)
        let first = try container.decodeNumberIfPresent(forKey: .firstNumber)
        let last = try container.decodeNumberIfPresent(forKey: .lastNumber)
        window = Window(
            slots: slots,
            firstNumber: first,
            lastNumber: last,
            discontinuitySequence: try container.decode(Int.self, in: 0...1 << 40, forKey: .discontinuitySequence),
            carriedRanges: try container.decodeIfPresent([SavedDateRange].self, forKey: .carriedRanges)?.map(\.range)
                ?? []
        )
        window.splicePlan = try container.decodeIfPresent(SplicePlan.self, forKey: .splicePlan) ?? SplicePlan()
        try container.check(zip(slots, slots.dropFirst()).allSatisfy { $0.precedes($1) }, .slots)
        try container.check(slots.last.map { $0.number == last } ?? true, .lastNumber)
        let head = slots.first?.number ?? last
        try container.check(first.map { first in head.map { first <= $0 } ?? false } ?? (last == nil), .firstNumber)
        try container.check(Set(renditions.map(\.id)).count == renditions.count, .renditions)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(renditions, forKey: .renditions)
        try container.encode(sessionKeys.map(SavedKey.init), forKey: .sessionKeys)
        try container.encode(meters, forKey: .meters)
        try container.encode(Array(window.slots), forKey: .slots)
        try container.encodeIfPresent(firstNumber?.value, forKey: .firstNumber)
        try container.encodeIfPresent(lastNumber?.value, forKey: .lastNumber)
        try container.encode(discontinuitySequence, forKey: .discontinuitySequence)
        let carried = window.carriedRanges.map(SavedDateRange.init)
        try container.encodeIfPresent(carried.isEmpty ? nil : carried, forKey: .carriedRanges)
        if !window.splicePlan.isEmpty { try container.encode(window.splicePlan, forKey: .splicePlan) }
    }
}

extension SavedWindow.Change {
    private enum CodingKeys: String, CodingKey {
        case head, renditions, sessionKeys, meters
        case splicePlan = "splices"
    }

    /// - Throws: `DecodingError`, also if numbers are beyond reason.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        record = try SlotRecord(from: decoder)
        head = try container.decodeNumber(forKey: .head)
        renditions = try container.decodeIfPresent([RenditionDescription].self, forKey: .renditions)
        sessionKeys = try container.decodeIfPresent([SavedKey].self, forKey: .sessionKeys)?.map(\.key)
        meters = try container.decodeIfPresent([RenditionID: BandwidthMeter].self, forKey: .meters)
        splicePlan = try container.decodeIfPresent(SplicePlan.self, forKey: .splicePlan)
        if let renditions { try container.check(Set(renditions.map(\.id)).count == renditions.count, .renditions) }
    }

    package func encode(to encoder: any Encoder) throws {
        try record.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(head.value, forKey: .head)
        try container.encodeIfPresent(renditions, forKey: .renditions)
        try container.encodeIfPresent(sessionKeys?.map(SavedKey.init), forKey: .sessionKeys)
        try container.encodeIfPresent(meters, forKey: .meters)
        try container.encodeIfPresent(splicePlan, forKey: .splicePlan)
    }
}

extension RenditionID: Codable, CodingKeyRepresentable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self.init(try container.decode(String.self))
        guard name.isPathComponent else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a name")
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }

    package var codingKey: any CodingKey { name.codingKey }

    package init?(codingKey: some CodingKey) {
        guard codingKey.stringValue.isPathComponent else { return nil }
        self.init(codingKey.stringValue)
    }
}
