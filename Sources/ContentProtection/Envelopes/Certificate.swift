import COpenSSL

/// An X.509 certificate of a message's recipient or signer.
package struct Certificate: Hashable, Sendable {
    /// The distinguished encoding of ASN.1.
    package let der: [UInt8]

    /// Takes a certificate of an RSA key; nil for anything else.
    package init?(der: [UInt8]) {
        guard RSAKey(certificate: der) != nil else { return nil }
        self.der = der
    }

    /// Takes the first certificate of a PEM file; nil if there is none of an RSA key.
    package init?(pem: [UInt8]) {
        let end = Array("-----END CERTIFICATE-----".utf8), begin = Array("-----BEGIN CERTIFICATE-----".utf8)
        guard let start = pem.firstRange(of: begin), let stop = pem[start.upperBound...].firstRange(of: end) else {
            return nil
        }
        // Twice the room that base64 needs.
        var der = [UInt8](repeating: 0, count: pem.count)
        let text = pem[start.upperBound..<stop.lowerBound].filter { $0 > 0x20 }
        let padding = text.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        let count = unsafe EVP_DecodeBlock(&der, Array(text), CInt(text.count))
        guard count > padding else { return nil }
        self.init(der: Array(der.prefix(Int(count) - padding)))
    }

    /// Encrypts a few bytes, such as a key, for the holder of the private key: RSA-OAEP with SHA-1 (RFC 8017 § 7.1).
    ///
    /// - Throws: ``OpenSSLError`` if the key is too short for that.
    package func encrypt(_ bytes: [UInt8]) throws(OpenSSLError) -> [UInt8] {
        guard let key = RSAKey(certificate: der) else { throw OpenSSLError("d2i_X509") }
        return try key.transform(bytes, .encrypting, .sha1)
    }

    /// Returns true if a signature of bytes is by its holder: RSASSA-PKCS1-v1_5 (RFC 8017 § 8.2).
    package func verifies(_ signature: [UInt8], of bytes: [UInt8], _ digest: MessageDigest) -> Bool {
        guard let key = RSAKey(certificate: der) else { return false }
        return key.verifies(signature, of: bytes, digest)
    }
}
