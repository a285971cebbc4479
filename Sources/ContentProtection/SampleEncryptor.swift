package import MediaCore
package import NIOCore

/// Encrypts the samples of one track in place, scheme `cbcs` (ISO/IEC 23001-7 § 10.4).
///
/// In every protected range the pattern and the CBC chain start afresh, with the constant IV, at an encrypted block.
package struct SampleEncryptor: ~Copyable, Sendable {
    private var cipher: PatternCipher
    private let pattern: TrackEncryption.Pattern

    /// - Parameters:
    ///   - key: The content key of the period.
    ///   - constantIV: The vector that every protected range starts from.
    ///   - pattern: Encrypted and skipped blocks in turn; without skipped blocks all are encrypted.
    ///   - direction: True if it is undone instead.
    /// - Throws: ``OpenSSLError`` without memory or without AES.
    package init(
        key: ContentKey,
        constantIV: Bytes16,
        pattern: TrackEncryption.Pattern,
        direction: CipherContext.Direction = .encrypting
    ) throws(OpenSSLError) {
        self.cipher = try PatternCipher(key: key, iv: constantIV, direction)
        self.pattern = pattern
    }

    /// Encrypts a sample's payload.
    ///
    /// - Throws: As ``encrypt(_:at:length:subsamples:)``.
    mutating func encrypt(_ sample: inout Sample) throws(SampleEncryptionError) {
        let (index, length) = (sample.payload.readerIndex, sample.payload.readableBytes)
        try encrypt(&sample.payload, at: index, length: length, subsamples: sample.subsamples)
    }

    /// Encrypts a sample somewhere in a buffer.
    ///
    /// - Parameters:
    ///   - buffer: The buffer that the sample is in.
    ///   - index: Index of the sample's first byte, as in `ByteBuffer.getInteger(at:)`.
    ///   - length: Bytes of the sample.
    ///   - subsamples: They cover the sample; if there are none, all of it is protected.
    /// - Throws: ``SampleEncryptionError`` if the sample is not within the buffer's readable bytes or `subsamples` have
    ///   another length than the sample, before anything is changed, or where OpenSSL fails.
    package mutating func encrypt(
        _ buffer: inout ByteBuffer,
        at index: Int,
        length: Int,
        subsamples: [Subsample]
    ) throws(SampleEncryptionError) {
        try unsafe buffer.forEachProtectedRange(
            at: index,
            length: length,
            subsamples: subsamples
        ) { range throws(SampleEncryptionError) in
            guard range.count >= CipherContext.blockSize else { return }
            try cipher.start()
            try unsafe cipher.encrypt(range, pattern: pattern)
        }
    }
}
