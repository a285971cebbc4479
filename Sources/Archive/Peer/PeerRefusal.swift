package import Foundation
import MediaCore

/// A packager's answer to another that does not hold its secret; it reveals no more than playlists do.
package struct PeerRefusal: Hashable, Codable, Sendable {
    /// The encryption of the channel, as its operator writes it.
    package var encryption: String

    package init(encryption: String) {
        self.encryption = encryption
    }

    /// - Throws: `DecodingError` if it is malformed.
    package init(json: some DataProtocol) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(json))
    }

    /// - Throws: The error of `JSONEncoder`.
    package func json() throws -> Data {
        try JSONEncoder.canonical.encode(self)
    }

    /// Returns the difference from the refused packager's own configuration, in one phrase.
    package func difference(from own: [String: String]) -> String {
        let ownEncryption = own["encryption"] ?? "not set"
        return ownEncryption == encryption
            ? "the two packagers have different values of key-secret"
            : "encryption is \(ownEncryption) on this packager, and \(encryption) on the peer"
    }
}
