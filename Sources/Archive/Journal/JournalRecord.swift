import Presentation

/// A line of a journal after its header.
///
/// The line of a slot says that its parts are all there.
enum JournalRecord: Codable, Sendable {
    case slot(SavedWindow.Change)
    case part(SavedPart)

    private enum CodingKeys: String, CodingKey {
        case part
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let part = try container.decodeIfPresent(SavedPart.self, forKey: .part) {
            self = .part(part)
        } else {
            self = .slot(try SavedWindow.Change(from: decoder))
        }
    }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .slot(let change): try change.encode(to: encoder)
        case .part(let part):
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(part, forKey: .part)
        }
    }
}
