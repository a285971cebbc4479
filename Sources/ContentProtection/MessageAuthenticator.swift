import COpenSSL

/// Authenticates many short messages by one secret: HMAC with SHA-256 (RFC 2104), whose state behind the secret is
/// kept.
@safe package final class MessageAuthenticator: Sendable {
    /// The context with the secret.
    ///
    /// Threads may share it: it never changes, and each message is authenticated by a copy.
    private nonisolated(unsafe) let context: OpaquePointer

    /// - Throws: ``OpenSSLError`` without memory or without the algorithm.
    package init(secret: [UInt8]) throws(OpenSSLError) {
        guard let algorithm = unsafe EVP_MAC_fetch(nil, "HMAC", nil) else { throw OpenSSLError("EVP_MAC_fetch") }
        // The context holds it.
        defer { unsafe EVP_MAC_free(algorithm) }
        guard let context = unsafe EVP_MAC_CTX_new(algorithm) else { throw OpenSSLError("EVP_MAC_CTX_new") }
        let parameters = unsafe [copenssl_mac_digest_sha256(), OSSL_PARAM_construct_end()]
        guard unsafe EVP_MAC_init(context, secret, secret.count, parameters) == 1 else {
            unsafe EVP_MAC_CTX_free(context)
            throw OpenSSLError("EVP_MAC_init")
        }
        unsafe self.context = context
    }

    deinit {
        unsafe EVP_MAC_CTX_free(context)
    }

    /// Returns the code of a message; nil without memory.
    package func code(of message: UnsafeRawBufferPointer) -> SIMD32<UInt8>? {
        guard let copy = unsafe EVP_MAC_CTX_dup(context) else { return nil }
        defer { unsafe EVP_MAC_CTX_free(copy) }
        let bytes = unsafe message.assumingMemoryBound(to: UInt8.self)
        guard unsafe EVP_MAC_update(copy, bytes.baseAddress, bytes.count) == 1 else { return nil }
        var code = SIMD32<UInt8>()
        var count = 0
        let status = unsafe withUnsafeMutableBytes(of: &code) { code in
            let start = unsafe code.assumingMemoryBound(to: UInt8.self).baseAddress
            return unsafe EVP_MAC_final(copy, start, &count, code.count)
        }
        return status == 1 && count == 32 ? code : nil
    }

    /// Returns true if a code is a message's; the time that it takes does not tell how much of the code is right.
    package func verifies(_ code: SIMD32<UInt8>, of message: UnsafeRawBufferPointer) -> Bool {
        guard let own = unsafe self.code(of: message) else { return false }
        return (own ^ code).union == 0
    }
}

extension SIMD32<UInt8> {
    /// The bitwise "or" of all bytes.
    fileprivate var union: UInt8 {
        let sixteen = lowHalf | highHalf
        let eight = sixteen.lowHalf | sixteen.highHalf
        let four = eight.lowHalf | eight.highHalf
        return four[0] | four[1] | four[2] | four[3]
    }
}
