package import MediaCore
package import NIOCore

/// Encrypts whole resources, as ``SegmentCipher`` says.
package struct SegmentEncryptor: ~Copyable, Sendable {
    private let cipher: SegmentCipher
    private var context: CipherContext

    /// - Parameters:
    ///   - key: As long as the cipher wants it.
    ///   - cipher: The cipher.
    /// - Throws: ``OpenSSLError`` without memory or without AES.
    package init(key: ContentKey, cipher: SegmentCipher = .aes128) throws(OpenSSLError) {
        self.cipher = cipher
        context = try CipherContext(key: key, mode: cipher.mode)
    }

    /// Encrypts a segment or an initialization section.
    ///
    /// - Parameters:
    ///   - resource: The readable bytes. AES-128 appends 1 to 16, up to whole blocks; AES-256-GCM appends 32.
    ///   - iv: With AES-128, the value of the IV attribute or, without one, ``MediaSequenceNumber``'s vector; with
    ///     AES-256-GCM ``SegmentVector``'s.
    /// - Throws: ``OpenSSLError`` if OpenSSL fails; then the bytes are useless.
    package mutating func encrypt(_ resource: inout ByteBuffer, iv: Bytes16) throws(OpenSSLError) {
        let count = resource.readableBytes
        try context.start(iv: iv)
        switch cipher {
        case .aes128:
            resource.writeRepeatingByte(0, count: CipherContext.blockSize - count % CipherContext.blockSize)
            try unsafe resource.withUnsafeMutableReadableBytes { bytes throws(OpenSSLError) in
                let written = try unsafe context.update(.init(rebasing: bytes[..<count]), into: bytes)
                _ = try unsafe context.finish(into: .init(rebasing: bytes[written...]))
            }
        case .aes256GCM:
            var sealed = ByteBuffer()
            sealed.reserveCapacity(CipherContext.blockSize + count + CipherContext.blockSize)
            sealed.writeBytes(iv.bytes)
            sealed.writeRepeatingByte(0, count: count + CipherContext.blockSize)
            try unsafe sealed.withUnsafeMutableReadableBytes { output throws(OpenSSLError) in
                let output = unsafe UnsafeMutableRawBufferPointer(rebasing: output[CipherContext.blockSize...])
                let written = try unsafe resource.withUnsafeReadableBytes { input throws(OpenSSLError) in
                    try unsafe context.update(input, into: output)
                }
                _ = try unsafe context.finish(into: .init(rebasing: output[written...]))
                unsafe output[written...].copyBytes(from: try context.tag())
            }
            resource = sealed
        }
    }
}
