package import MediaCore

/// The identity of a client of a store: an access key and its secret.
package struct AccessKey: Hashable, Sendable {
    package let id: String
    let secret: String
    /// The token that belongs to a key which expires.
    let sessionToken: String?
    /// The time in UTC at which it expires; nil if that is not known.
    package let expiry: MediaTime?

    /// - Returns: Nil if a value is empty, too long, or cannot be part of a header field.
    package init?(id: String, secret: String, sessionToken: String? = nil, expiry: MediaTime? = nil) {
        guard Self.isPlain(id, atMost: 256), Self.isPlain(secret, atMost: 1024),
            sessionToken.map({ Self.isPlain($0, atMost: 16_384) }) ?? true
        else { return nil }
        (self.id, self.secret, self.sessionToken, self.expiry) = (id, secret, sessionToken, expiry)
    }

    private static func isPlain(_ text: String, atMost limit: Int) -> Bool {
        !text.isEmpty && text.utf8.count <= limit && text.utf8.allSatisfy { 0x21...0x7E ~= $0 }
    }
}

/// Descriptions without the secret and the token, for logs and dumps.
extension AccessKey: CustomStringConvertible, CustomReflectable {
    package var description: String { "an access key" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
