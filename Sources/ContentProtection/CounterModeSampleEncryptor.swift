package import MediaCore
package import NIOCore

/// Encrypts the samples of one track in place, scheme `cenc` (ISO/IEC 23001-7 § 10.1): METHOD=SAMPLE-AES-CTR.
///
/// The protected ranges of a sample are one message in counter mode, to the last byte. An IV is good for one sample
/// under one key: two samples that share it give away each other's contents.
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
    package mutating func encrypt(_ sample: inout Sample, iv: UInt64) throws(SampleEncryptionError) {
        let (index, length) = (sample.payload.readerIndex, sample.payload.readableBytes)
        try encrypt(&sample.payload, at: index, length: length, subsamples: sample.subsamples, iv: iv)
    }

    /// Encrypts a sample somewhere in a buffer.
    ///
    /// - Parameters:
    ///   - buffer: Where the sample is.
    ///   - index: Index of the sample's first byte, as in `ByteBuffer.getInteger(at:)`.
    ///   - length: Bytes of the sample.
    ///   - subsamples: They cover the sample; if there are none, all of it is protected.
    ///   - iv: The eight bytes that `senc` has for the sample, most significant first.
    /// - Throws: ``SampleEncryptionError`` if the sample is not within the buffer's readable bytes or `subsamples` have
    ///   another length than the sample, before anything is changed, or where OpenSSL fails.
    package mutating func encrypt(
        _ buffer: inout ByteBuffer,
        at index: Int,
        length: Int,
        subsamples: [Subsample],
        iv: UInt64
    ) throws(SampleEncryptionError) {
        // ISO/IEC 23001-7 § 9.2: an IV of eight bytes is the counter's upper half; its lower half counts blocks from 0.
        do { try cipher.start(iv: Bytes16(high: iv, low: 0)) } catch { throw .cipher(error) }
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
