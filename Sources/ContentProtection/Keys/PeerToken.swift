import COpenSSL
import MediaCore

/// Shows a member of a pair that the other one holds the same master secret, and tells nothing of it or of any key.
///
/// It never changes. An eavesdropper could present it as well, but would already have read the data that it protects.
package struct PeerToken: Sendable {
    private let bytes: Bytes16

    init(_ bytes: Bytes16) {
        self.bytes = bytes
    }

    /// HKDF's `info`: its label differs from all of ``DerivationInfo``, so that a token is related to no key.
    static func info(channel: String) -> [UInt8] {
        DerivationInfo.encoded([Array("packager peer token 1".utf8), Array(channel.utf8)])
    }

    /// The value of the field `Authorization` (RFC 6750 § 2.1); a packager that has no secret says just that.
    package static func credentials(_ token: PeerToken?) -> String {
        "Bearer \(token?.bytes.hex ?? "none")"
    }

    /// Returns true if credentials carry it; the time that this takes does not tell how much of it they have right.
    package func isIn(_ credentials: String) -> Bool {
        let (own, shown) = (Array(Self.credentials(self).utf8), Array(credentials.utf8))
        guard shown.count == own.count else { return false }
        return unsafe CRYPTO_memcmp(shown, own, own.count) == 0
    }
}

extension PeerToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "PeerToken(redacted)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
