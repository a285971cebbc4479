import COpenSSL
package import NIOCore

/// A digest of a message.
package enum MessageDigest: Sendable {
    /// SHA-1 only if a protocol requires it: in OAEP, where it is safe, and in the messages of Apple's devices.
    case sha1
    case sha256, sha512

    /// The digest's 20, 32 or 64 bytes.
    ///
    /// - Throws: ``OpenSSLError`` without memory or without the algorithm.
    package func digest(_ bytes: [UInt8]) throws(OpenSSLError) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: size)
        guard unsafe EVP_Digest(bytes, bytes.count, &digest, nil, algorithm, nil) == 1 else {
            throw OpenSSLError("EVP_Digest")
        }
        return digest
    }

    /// The digest's 20, 32 or 64 bytes.
    ///
    /// - Throws: ``OpenSSLError`` without memory or without the algorithm.
    package func digest(_ bytes: ByteBuffer) throws(OpenSSLError) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: size)
        let algorithm = unsafe algorithm
        let status = unsafe bytes.withUnsafeReadableBytes { bytes in
            unsafe EVP_Digest(bytes.baseAddress, bytes.count, &digest, nil, algorithm, nil)
        }
        guard status == 1 else { throw OpenSSLError("EVP_Digest") }
        return digest
    }

    /// The digest of bytes that come a piece at a time: 20, 32 or 64 bytes.
    ///
    /// - Parameter next: Returns the next piece; nil behind the last.
    /// - Returns: The digest's bytes.
    /// - Throws: ``OpenSSLError`` without memory or without the algorithm, or what `next` throws.
    package func digest(pieces next: () throws -> ByteBuffer?) throws -> [UInt8] {
        guard let context = unsafe EVP_MD_CTX_new() else { throw OpenSSLError("EVP_MD_CTX_new") }
        defer { unsafe EVP_MD_CTX_free(context) }
        guard unsafe EVP_DigestInit_ex(context, algorithm, nil) == 1 else { throw OpenSSLError("EVP_DigestInit_ex") }
        while let piece = try next() {
            let status = unsafe piece.withUnsafeReadableBytes { bytes in
                unsafe EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
            }
            guard status == 1 else { throw OpenSSLError("EVP_DigestUpdate") }
        }
        var digest = [UInt8](repeating: 0, count: size)
        guard unsafe EVP_DigestFinal_ex(context, &digest, nil) == 1 else { throw OpenSSLError("EVP_DigestFinal_ex") }
        return digest
    }

    private var size: Int {
        switch self {
        case .sha1: 20
        case .sha256: 32
        case .sha512: 64
        }
    }

    var algorithm: OpaquePointer? {
        switch self {
        case .sha1: unsafe EVP_sha1()
        case .sha256: unsafe EVP_sha256()
        case .sha512: unsafe EVP_sha512()
        }
    }

    /// Returns true if a signature of bytes is by the holder of a public key's private key.
    func verifies(_ signature: [UInt8], of bytes: [UInt8], by key: OpaquePointer) -> Bool {
        guard let context = unsafe EVP_MD_CTX_new() else { return false }
        defer {
            unsafe EVP_MD_CTX_free(context)
            ERR_clear_error()
        }
        return unsafe EVP_DigestVerifyInit(context, nil, algorithm, nil, key) == 1
            && EVP_DigestVerify(context, signature, signature.count, bytes, bytes.count) == 1
    }
}
