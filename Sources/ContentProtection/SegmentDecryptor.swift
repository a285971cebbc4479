package import MediaCore
package import NIOCore

/// Decrypts whole resources, as ``SegmentCipher`` says.
package struct SegmentDecryptor: ~Copyable {
    private let cipher: SegmentCipher
    private var context: CipherContext

    /// - Parameters:
    ///   - key: As long as the cipher wants it.
    ///   - cipher: The cipher.
    /// - Throws: ``OpenSSLError`` without memory or without AES.
    package init(key: ContentKey, cipher: SegmentCipher = .aes128) throws(OpenSSLError) {
        self.cipher = cipher
        context = try CipherContext(key: key, mode: cipher.mode, .decrypting)
    }

    /// Decrypts a segment or an initialization section.
    ///
    /// - Parameters:
    ///   - resource: The encrypted bytes.
    ///   - iv: With AES-128, the value of the IV attribute or, without one, ``MediaSequenceNumber``'s vector. With
    ///     AES-256-GCM the resource has it.
    /// - Returns: The clear bytes.
    /// - Throws: ``OpenSSLError`` if the length or the end is wrong, as with another key.
    package mutating func decrypted(_ resource: ByteBuffer, iv: Bytes16) throws(OpenSSLError) -> ByteBuffer {
        var resource = resource
        switch cipher {
        case .aes128: try context.start(iv: iv)
        case .aes256GCM:
            guard resource.readableBytes >= 2 * CipherContext.blockSize,
                let vector = resource.readBytes(length: CipherContext.blockSize).flatMap({ Bytes16($0) }),
                let ciphertext = resource.readSlice(length: resource.readableBytes - CipherContext.blockSize)
            else { throw OpenSSLError("AES-256-GCM") }
            try context.start(iv: vector)
            try context.expect(tag: Array(resource.readableBytesView))
            resource = ciphertext
        }
        var clear = ByteBuffer(repeating: 0, count: resource.readableBytes + CipherContext.blockSize)
        let count = try unsafe clear.withUnsafeMutableReadableBytes { output throws(OpenSSLError) in
            let written = try unsafe resource.withUnsafeReadableBytes { input throws(OpenSSLError) in
                try unsafe context.update(input, into: output)
            }
            return try unsafe written + context.finish(into: .init(rebasing: output[written...]))
        }
        return clear.getSlice(at: clear.readerIndex, length: count) ?? ByteBuffer()
    }
}
