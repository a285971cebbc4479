package import MediaCore
package import NIOCore

/// Encrypts whole resources: METHOD=AES-128, which is AES-128 in CBC mode with PKCS #7 padding (RFC 8216bis § 4.4.4.4).
package struct SegmentEncryptor: ~Copyable, Sendable {
    private var cipher: CipherContext

    /// - Throws: ``OpenSSLError`` without memory or without AES.
    package init(key: ContentKey) throws(OpenSSLError) {
        self.cipher = try CipherContext(key: key, mode: .paddedCBC)
    }

    /// Encrypts a segment or an initialization section where it is.
    ///
    /// - Parameters:
    ///   - resource: Its readable bytes, of which there are 1 to 16 more afterwards: always whole blocks.
    ///   - iv: What the playlist says in the IV attribute, or, where there is none, ``MediaSequenceNumber``'s vector.
    /// - Throws: ``OpenSSLError`` where OpenSSL fails; then the bytes are good for nothing.
    package mutating func encrypt(_ resource: inout ByteBuffer, iv: Bytes16) throws(OpenSSLError) {
        let count = resource.readableBytes
        resource.writeRepeatingByte(0, count: CipherContext.blockSize - count % CipherContext.blockSize)
        try cipher.start(iv: iv)
        try unsafe resource.withUnsafeMutableReadableBytes { bytes throws(OpenSSLError) in
            let written = try unsafe cipher.update(.init(rebasing: bytes[..<count]), into: bytes)
            _ = try unsafe cipher.finish(into: .init(rebasing: bytes[written...]))
        }
    }
}
