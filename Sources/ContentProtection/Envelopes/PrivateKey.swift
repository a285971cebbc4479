import COpenSSL

/// An RSA key for decryption; no description or dump shows it.
package final class PrivateKey: Sendable {
    private let key: RSAKey

    /// Takes the first private key of a PEM file, without a passphrase; nil if there is none.
    package init?(pem: [UInt8]) {
        guard let key = RSAKey(privatePEM: pem) else { return nil }
        self.key = key
    }

    /// The number of bits of its modulus.
    package var bits: Int { key.bits }

    /// Decrypts RSA-OAEP (RFC 8017 § 7.1).
    ///
    /// - Parameters:
    ///   - bytes: Bytes that were encrypted for the key, with ``Certificate/encrypt(_:)`` by SHA-1.
    ///   - digest: The digest of OAEP and of MGF1.
    /// - Returns: The bytes in the clear.
    /// - Throws: ``OpenSSLError`` if it is for another key, or was changed.
    package func decrypt(_ bytes: [UInt8], _ digest: MessageDigest = .sha1) throws(OpenSSLError) -> [UInt8] {
        try key.transform(bytes, .decrypting, digest)
    }

    /// Returns true if a certificate is of this key.
    package func isOf(_ certificate: Certificate) -> Bool {
        guard let other = RSAKey(certificate: certificate.der) else { return false }
        return key.isEqual(to: other)
    }
}

extension PrivateKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "PrivateKey(redacted)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
