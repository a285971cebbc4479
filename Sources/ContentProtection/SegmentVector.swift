package import MediaCore
package import NIOCore

/// The initialization vector of a whole resource under AES-256-GCM.
///
/// Two resources of one key must never have the same: who sees both could read them, and forge others (NIST SP 800-38D
/// § 8). Vectors cannot be counted without remembering it, since two packagers that never talk may fill a slot
/// differently; so they are keyed digests (HKDF-SHA256 of the content key) of all that tells resources apart: equal only
/// for equal contents, but for one chance in 2^128 a pair.
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
