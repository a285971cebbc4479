package import Foundation
import MediaCore
package import Operations

/// A schedule in its written form, for the next process and for the peer.
package struct ScheduleDocument: Hashable, Codable, Sendable {
    /// The actions of kinds that this version knows, in order.
    package var actions: [ScheduleAction]

    package init(actions: [ScheduleAction]) {
        self.actions = actions
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        // An item of a kind that only later versions know is left out.
        actions = try container.decode([Lenient].self, forKey: .actions).compactMap(\.action)
    }

    /// - Throws: `DecodingError` if it is not such a document.
    package init(json: some DataProtocol) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(json))
    }

    /// - Throws: The error of `JSONEncoder`.
    package func json() throws -> Data { try JSONEncoder.canonical.encode(self) }

    private struct Lenient: Decodable {
        var action: ScheduleAction?

        init(from decoder: any Decoder) throws { action = try? ScheduleAction(from: decoder) }
    }
}
