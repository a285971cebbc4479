package import Foundation
import MediaCore
package import Presentation

/// A packager's document for its peer: its window, and the settings that both must share.
package struct PeerDocument: Hashable, Codable, Sendable {
    /// The settings that the window depends on, by the names that an operator knows.
    package var configuration: [String: String]
    package var window: SavedWindow
    /// True if the packager waits for its own peer, and publishes nothing until then.
    package var isJoining: Bool

    package init(configuration: [String: String], window: SavedWindow, isJoining: Bool = false) {
        self.configuration = configuration
        self.window = window
        self.isJoining = isJoining
    }

    private enum CodingKeys: String, CodingKey {
        case configuration, window
        case isJoining = "joining"
    }

    /// - Throws: `DecodingError` if it is not such a document.
    package init(json: some DataProtocol) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(json))
    }

    /// - Throws: The error of `JSONEncoder`.
    package func json() throws -> Data {
        try JSONEncoder.canonical.encode(self)
    }

    /// Returns the settings that differ from this packager's own, by name, one phrase each.
    ///
    /// - Parameters:
    ///   - own: This packager's.
    ///   - defaults: Values for settings that one of the two does not name.
    /// - Returns: The differences.
    package func differences(
        from own: [String: String],
        defaults: [String: String] = [:]
    ) -> [(name: String, text: String)] {
        IdentityDifference.all(between: own, and: configuration, defaults: defaults).map { difference in
            (
                difference.name,
                "\(difference.name) is \(difference.first) on this packager, and \(difference.second) on the peer"
            )
        }
    }
}
