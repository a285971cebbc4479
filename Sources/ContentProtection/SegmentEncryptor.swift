package import MediaCore
package import NIOCore

/// Encrypts whole resources: METHOD=AES-128, which is AES-128 in CBC mode with PKCS #7 padding (RFC 8216bis § 4.4.4.4).
package struct SegmentEncryptor: ~Copyable, Sendable {
    private var cipher: CipherContext

    /// - Throws: ``OpenSSLError`` without memory or without AES.
    package init(key: ContentKey) throws(OpenSSLError) {
        self.cipher = try CipherContext(key: key, mode: .paddedCBC)
    }

    /// The encrypted form of a segment or an initialization section.
    ///
    /// - Parameters:
    ///   - resource: Its readable bytes.
    ///   - iv: What the playlist says in the IV attribute.
    /// - Returns: 1 to 16 bytes more than `resource` has, always whole blocks.
    /// - Throws: ``OpenSSLError`` where OpenSSL fails.
    package mutating func encrypt(_ resource: ByteBuffer, iv: Bytes16) throws(OpenSSLError) -> ByteBuffer {
        let count = (resource.readableBytes / CipherContext.blockSize + 1) * CipherContext.blockSize
        var output = ByteBufferAllocator().buffer(capacity: count)
        try cipher.start(iv: iv)
        try unsafe output.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { bytes throws(OpenSSLError) in
            let written = try unsafe resource.withUnsafeReadableBytes { input throws(OpenSSLError) in
                try unsafe cipher.update(input, into: bytes)
            }
            return try unsafe written + cipher.finish(into: .init(rebasing: bytes[written...]))
        }
        return output
    }
}
