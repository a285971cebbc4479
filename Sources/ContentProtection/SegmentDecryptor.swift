package import MediaCore
package import NIOCore

/// Decrypts whole resources: METHOD=AES-128, which is AES-128 in CBC mode with PKCS #7 padding (RFC 8216bis § 4.4.4.4).
package struct SegmentDecryptor: ~Copyable {
    private var cipher: CipherContext

    /// - Throws: ``OpenSSLError`` without memory or without AES.
    package init(key: ContentKey) throws(OpenSSLError) {
        cipher = try CipherContext(key: key, mode: .paddedCBC, .decrypting)
    }

    /// Decrypts a segment or an initialization section.
    ///
    /// - Parameters:
    ///   - resource: Whole blocks.
    ///   - iv: What the playlist says in the IV attribute, or, where there is none, ``MediaSequenceNumber``'s vector.
    /// - Returns: The clear bytes.
    /// - Throws: ``OpenSSLError`` where it is of another length, or does not end in padding, as with another key.
    package mutating func decrypted(_ resource: ByteBuffer, iv: Bytes16) throws(OpenSSLError) -> ByteBuffer {
        var clear = ByteBuffer(repeating: 0, count: resource.readableBytes + CipherContext.blockSize)
        try cipher.start(iv: iv)
        let count = try unsafe clear.withUnsafeMutableReadableBytes { output throws(OpenSSLError) in
            let written = try unsafe resource.withUnsafeReadableBytes { input throws(OpenSSLError) in
                try unsafe cipher.update(input, into: output)
            }
            return try unsafe written + cipher.finish(into: .init(rebasing: output[written...]))
        }
        return clear.getSlice(at: clear.readerIndex, length: count) ?? ByteBuffer()
    }
}
