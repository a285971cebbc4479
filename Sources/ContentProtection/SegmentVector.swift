package import MediaCore
package import NIOCore

/// The initialization vector of a whole resource under AES-256-GCM.
///
/// Two resources of one key must never share a vector: an attacker with both could read them, and forge others (NIST SP
/// 800-38D § 8). Vectors cannot be counted, since two packagers that never talk may fill a slot differently. So they
/// are keyed digests (HKDF-SHA256 of the content key) of all that tells resources apart. Different resources have the
/// same vector with a chance of 1 in 2^128.
package enum SegmentVector {
    /// - Parameters:
    ///   - contents: The bytes that are to be encrypted.
    ///   - number: The segment's; nil of an initialization section.
    ///   - rendition: Its name.
    ///   - key: The content key of the period.
    /// - Returns: The vector at the beginning of the encrypted resource.
    /// - Throws: ``OpenSSLError`` without memory or without SHA-256.
    package static func vector(
        of contents: ByteBuffer,
        number: MediaSequenceNumber?,
        rendition: String,
        key: ContentKey
    ) throws(OpenSSLError) -> Bytes16 {
        // Each field behind its count of bytes: no two lists of fields give the same bytes.
        var digest = try SHA256Context()
        try digest.update(rendition)
        try digest.update(number.map { "segment \($0)" } ?? "initialization section")
        try digest.update(contents)
        let bytes = try HKDF.derive(
            secret: key.bytes,
            salt: [],
            info: Array("packager segment vector 1".utf8) + digest.finish(),
            count: CipherContext.blockSize
        )
        return Bytes16(bytes) ?? Bytes16(high: 0, low: 0)
    }
}
