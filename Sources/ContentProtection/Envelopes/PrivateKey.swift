import COpenSSL

/// An RSA key that opens what was encrypted for it; no description or dump of it shows it.
package struct PrivateKey: Sendable {
    private let pem: [UInt8]

    /// Takes the first private key of a PEM file, without a passphrase; nil where there is none.
    package init?(pem: [UInt8]) {
        guard RSAKey(privatePEM: pem) != nil else { return nil }
        self.pem = pem
    }

    /// Decrypts what ``Certificate/encrypt(_:)`` has encrypted.
    ///
    /// - Throws: ``OpenSSLError`` where it is for another key, or was changed.
    package func decrypt(_ bytes: [UInt8]) throws(OpenSSLError) -> [UInt8] {
        guard let key = RSAKey(privatePEM: pem) else { throw OpenSSLError("PEM_read_bio_PrivateKey") }
        return try key.transform(bytes, .decrypting)
    }

    /// Whether a certificate is of this key.
    package func isOf(_ certificate: Certificate) -> Bool {
        guard let key = RSAKey(privatePEM: pem), let other = RSAKey(certificate: certificate.der) else { return false }
        return key.isEqual(to: other)
    }
}

extension PrivateKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "PrivateKey(redacted)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
