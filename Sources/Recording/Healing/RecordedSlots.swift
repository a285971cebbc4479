import FoundationEssentials
package import MediaCore
package import NIOCore
import Playlists
package import Presentation

/// An answer to the other member of a pair: recorded slots of one block, as they were listed.
package struct RecordedSlots: Hashable, Sendable {
    /// The length of a slot: if it is equal, numbers mean the same times.
    package var segmentDuration: MediaTime
    /// The slots from the oldest that is kept to the newest; empty if there are none.
    package var extent: Range<MediaSequenceNumber>
    /// The slots of the question; those that ``slots`` lacks were not recorded.
    package var numbers: Range<MediaSequenceNumber>
    /// The slots that were recorded, in order.
    package var slots: [ListedSlot]
    /// The declaration at the first of the numbers; nil if none is known.
    package var declaration: Declaration?

    package init(
        segmentDuration: MediaTime,
        extent: Range<MediaSequenceNumber>,
        numbers: Range<MediaSequenceNumber>,
        slots: [ListedSlot],
        declaration: Declaration? = nil
    ) {
        (self.segmentDuration, self.extent, self.numbers) = (segmentDuration, extent, numbers)
        (self.slots, self.declaration) = (slots, declaration)
    }

    /// The most slots of an answer.
    package static let most: Int64 = 64
    /// The most renditions of all slots of an answer: each has a file and lines of its own in a block.
    package static let mostRenditions = 256
    /// The most bytes of a declaration: the first line of a block has to be found in a part of its index.
    package static let longestDeclaration = 1 << 21
    /// The most bytes of an answer.
    package static let longest = 1 << 25

    /// Reads an answer, which may be anything.
    ///
    /// - Throws: `DecodingError` or ``SavedWindow/InapplicableChange`` if it is malformed, or has numbers or counts beyond reason.
    package init(json: ByteBuffer) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(json.readableBytesView))
    }

    /// - Throws: The error of `JSONEncoder`.
    package func json() throws -> ByteBuffer { ByteBuffer(bytes: try JSONEncoder.canonical.encode(self)) }
}

extension RecordedSlots: Codable {
    private enum CodingKeys: String, CodingKey {
        case segmentDuration, extent, numbers, slots, declaration
    }

    /// - Throws: `DecodingError`, or ``SavedWindow/InapplicableChange``, also if numbers or counts are beyond reason.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let ticks = try container.decode(Int64.self, forKey: .segmentDuration)
        try container.check((1...1 << 40).contains(ticks), .segmentDuration)
        segmentDuration = MediaTime(ticks: ticks)
        extent = try Self.range(container, .extent)
        numbers = try Self.range(container, .numbers)
        slots = []
        var renditions: Set<RenditionID> = []
        let records = try container.decode([SlotRecord].self, forKey: .slots)
        try container.check(records.count <= Int(Self.most), .slots)
        for record in records {
            let slot = try record.slot(after: slots.last)
            try container.check(slots.last.map { $0.number < slot.number } ?? true, .slots)
            try container.check(numbers.contains(slot.number), .slots)
            renditions.formUnion(slot.segments.keys)
            try container.check(renditions.count <= Self.mostRenditions, .slots)
            slots.append(slot)
        }
        declaration = try container.decodeIfPresent(Declaration.self, forKey: .declaration)
        let byteCount = try declaration.map { try JSONEncoder.canonical.encode($0).count } ?? 0
        try container.check(byteCount <= Self.longestDeclaration, .declaration)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(segmentDuration.ticks, forKey: .segmentDuration)
        try container.encode([extent.lowerBound.value, extent.upperBound.value], forKey: .extent)
        try container.encode([numbers.lowerBound.value, numbers.upperBound.value], forKey: .numbers)
        var records: [SlotRecord] = []
        for (index, slot) in slots.enumerated() {
            records.append(SlotRecord(slot, after: index == 0 ? nil : slots[index - 1]))
        }
        try container.encode(records, forKey: .slots)
        try container.encodeIfPresent(declaration, forKey: .declaration)
    }

    private static func range(
        _ container: KeyedDecodingContainer<CodingKeys>,
        _ key: CodingKeys
    ) throws -> Range<MediaSequenceNumber> {
        let bounds = try container.decode([Int64].self, forKey: key)
        try container.check(bounds.count == 2 && bounds.allSatisfy { (0...1 << 37).contains($0) }, key)
        try container.check(bounds[0] <= bounds[1], key)
        return MediaSequenceNumber(bounds[0])..<MediaSequenceNumber(bounds[1])
    }
}
