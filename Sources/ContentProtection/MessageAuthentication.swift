import COpenSSL

/// Authenticates messages between holders of the same secret: HMAC with SHA-256 (RFC 2104).
package enum MessageAuthentication {
    /// The code's 32 bytes.
    ///
    /// - Throws: ``OpenSSLError`` without memory or without the algorithm.
    package static func code(of message: [UInt8], secret: [UInt8]) throws(OpenSSLError) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: 32)
        var count = 0
        let result = unsafe EVP_Q_mac(
            nil,
            "HMAC",
            nil,
            "SHA256",
            nil,
            secret,
            secret.count,
            message,
            message.count,
            &code,
            code.count,
            &count
        )
        guard unsafe result != nil, count == code.count else { throw OpenSSLError("EVP_Q_mac") }
        return code
    }

    /// Returns true if a code is a message's; the time that it takes does not tell how much of the code is right.
    package static func verifies(_ code: [UInt8], of message: [UInt8], secret: [UInt8]) -> Bool {
        guard let own = try? self.code(of: message, secret: secret), code.count == own.count else { return false }
        return unsafe CRYPTO_memcmp(code, own, own.count) == 0
    }
}
