package import MediaCore
package import NIOCore

/// Encrypts the samples of one track in place, scheme `cenc` (ISO/IEC 23001-7 § 10.1): METHOD=SAMPLE-AES-CTR.
///
/// The protected ranges of a sample are one message in counter mode, to the last byte. A block's counter is good for one
/// block under one key: two that share it give away each other's contents (see ``CounterModeVectors``).
package struct CounterModeSampleEncryptor: ~Copyable, Sendable {
    private var cipher: CipherContext

    /// - Parameter key: The content key of the period.
    /// - Throws: ``OpenSSLError`` without memory or without AES.
    package init(key: ContentKey) throws(OpenSSLError) {
        self.cipher = try CipherContext(key: key, mode: .counter)
    }

    /// Encrypts a sample's payload.
    ///
    /// - Throws: As ``encrypt(_:at:length:subsamples:iv:)``.
    mutating func encrypt(_ sample: inout Sample, iv: Bytes16) throws(SampleEncryptionError) {
        let (index, length) = (sample.payload.readerIndex, sample.payload.readableBytes)
        try encrypt(&sample.payload, at: index, length: length, subsamples: sample.subsamples, iv: iv)
    }

    /// Encrypts a sample somewhere in a buffer.
    ///
    /// - Parameters:
    ///   - buffer: The buffer that the sample is in.
    ///   - index: Index of the sample's first byte, as in `ByteBuffer.getInteger(at:)`.
    ///   - length: Bytes of the sample.
    ///   - subsamples: They cover the sample; if there are none, all of it is protected.
    ///   - iv: The vector in `senc` for the sample: the counter of its first block, whose lower half must not overflow
    ///     within the sample.
    /// - Throws: ``SampleEncryptionError`` if the sample is not within the buffer's readable bytes or `subsamples` have
    ///   another length than the sample, before anything is changed, or where OpenSSL fails.
    package mutating func encrypt(
        _ buffer: inout ByteBuffer,
        at index: Int,
        length: Int,
        subsamples: [Subsample],
        iv: Bytes16
    ) throws(SampleEncryptionError) {
        do { try cipher.start(iv: iv) } catch { throw .cipher(error) }
        try unsafe buffer.forEachProtectedRange(
            at: index,
            length: length,
            subsamples: subsamples
        ) { range throws(SampleEncryptionError) in
            do throws(OpenSSLError) {
                _ = try unsafe cipher.update(UnsafeRawBufferPointer(range), into: range)
            } catch {
                throw .cipher(error)
            }
        }
    }
}
