import COpenSSL

/// A digest of a message.
package enum MessageDigest: Sendable {
    /// SHA-1 only where a protocol names it: in OAEP, in which it is good, and in what Apple's devices send.
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
}
