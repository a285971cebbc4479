import MediaCore
import Playlists
import Presentation

/// A line of a block's index.
///
/// The first one is the head.
enum IndexRecord: Hashable, Sendable {
    case head(BlockHead)
    case slot(SlotRecord, offsets: [RenditionID: Int])
    case declaration(DatedDeclaration)
    /// Slots whose bytes did not survive a power cut.
    case lost([MediaSequenceNumber])
    /// The number of discontinuities that were filled in before the block, after its head was written.
    case discontinuities(Int)
}

/// The state of the recording when a block begins.
struct BlockHead: Hashable, Sendable {
    /// The first slot of the block, or the first of the recording.
    var first: MediaSequenceNumber
    /// The number of discontinuities in the blocks before.
    var discontinuities: Int
    /// The date ranges of earlier slots that are not over.
    var carried: [DateRange] = []
    var declaration: Declaration?
}

/// A declaration with the first slot that it is in force for.
struct DatedDeclaration: Hashable, Sendable {
    var number: MediaSequenceNumber
    var declaration: Declaration
}

extension IndexRecord: Codable {
    private enum CodingKeys: String, CodingKey {
        case head, offsets, declaration, lost, discontinuities
    }

    /// - Throws: `DecodingError`, also if numbers are beyond reason.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let offsets = try container.decodeIfPresent([RenditionID: Int].self, forKey: .offsets) {
            try container.check(offsets.values.allSatisfy((0...1 << 44).contains), .offsets)
            self = .slot(try SlotRecord(from: decoder), offsets: offsets)
        } else if let head = try container.decodeIfPresent(BlockHead.self, forKey: .head) {
            self = .head(head)
        } else if let numbers = try container.decodeIfPresent([Int64].self, forKey: .lost) {
            self = .lost(numbers.map(MediaSequenceNumber.init))
        } else if let count = try container.decodeIfPresent(Int.self, forKey: .discontinuities) {
            try container.check((0...1 << 20).contains(count), .discontinuities)
            self = .discontinuities(count)
        } else {
            self = .declaration(try container.decode(DatedDeclaration.self, forKey: .declaration))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .head(let head): try container.encode(head, forKey: .head)
        case .slot(let record, let offsets):
            try record.encode(to: encoder)
            try container.encode(offsets, forKey: .offsets)
        case .declaration(let declaration): try container.encode(declaration, forKey: .declaration)
        case .lost(let numbers): try container.encode(numbers.map(\.value), forKey: .lost)
        case .discontinuities(let count): try container.encode(count, forKey: .discontinuities)
        }
    }
}

extension BlockHead: Codable {
    private enum CodingKeys: String, CodingKey {
        case first, discontinuities, declaration
        case carried = "dateRanges"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        first = try container.decodeNumber(forKey: .first)
        discontinuities = try container.decode(Int.self, forKey: .discontinuities)
        try container.check((0...1 << 40).contains(discontinuities), .discontinuities)
        carried =
            try container.decodeIfPresent([String].self, forKey: .carried)?.compactMap { DateRange(text: $0) } ?? []
        declaration = try container.decodeIfPresent(Declaration.self, forKey: .declaration)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(first.value, forKey: .first)
        try container.encode(discontinuities, forKey: .discontinuities)
        if !carried.isEmpty { try container.encode(carried.map(\.text), forKey: .carried) }
        try container.encodeIfPresent(declaration, forKey: .declaration)
    }
}

extension DatedDeclaration: Codable {
    private enum CodingKeys: String, CodingKey {
        case number, declaration
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        number = try container.decodeNumber(forKey: .number)
        declaration = try container.decode(Declaration.self, forKey: .declaration)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(number.value, forKey: .number)
        try container.encode(declaration, forKey: .declaration)
    }
}
