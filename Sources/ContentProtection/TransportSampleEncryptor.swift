package import MediaCore
package import NIOCore

/// Encrypts what transport streams and packed audio carry, METHOD=SAMPLE-AES (Apple, "MPEG-2 Stream Encryption Format
/// for HTTP Live Streaming").
///
/// Every NAL unit and every audio frame begins a CBC chain at the same IV, and only whole blocks are encrypted.
package struct TransportSampleEncryptor: ~Copyable, Sendable {
    var cipher: PatternCipher

    /// - Parameters:
    ///   - key: The content key of the period.
    ///   - iv: The value of the IV attribute in the playlist.
    ///   - direction: True if it is undone instead; of NAL units by ``decrypted(nalUnit:)``.
    /// - Throws: ``OpenSSLError`` without memory or without AES.
    package init(
        key: ContentKey,
        iv: Bytes16,
        direction: CipherContext.Direction = .encrypting
    ) throws(OpenSSLError) {
        self.cipher = try PatternCipher(key: key, iv: iv, direction)
    }

    /// Writes the NAL units of an H.264 access unit behind start codes, the slices of it encrypted.
    ///
    /// - Parameters:
    ///   - accessUnit: NAL units behind four-byte lengths.
    ///   - output: They are appended to it; they are a little longer than `accessUnit` where ciphertext needs
    ///     emulation prevention.
    /// - Throws: ``SampleEncryptionError`` if a NAL unit is empty or reaches beyond the end, or OpenSSL fails; then
    ///   nothing is written.
    package mutating func write(
        accessUnit: ByteBuffer,
        to output: inout ByteBuffer
    ) throws(SampleEncryptionError) {
        let start = output.writerIndex
        var rest = accessUnit
        do throws(SampleEncryptionError) {
            while rest.readableBytes > 0 {
                guard let nalUnit = rest.readLengthPrefixedSlice(as: UInt32.self), nalUnit.readableBytes > 0 else {
                    throw .malformed(.nalUnits)
                }
                try write(nalUnit: nalUnit, to: &output)
            }
        } catch {
            output.moveWriterIndex(to: start)
            throw error
        }
    }

    /// Writes an H.264 NAL unit behind a start code, encrypted if it is a slice that is long enough.
    ///
    /// - Parameters:
    ///   - nalUnit: As coded, with its emulation prevention bytes, which are encrypted like others.
    ///   - output: It is appended to it.
    /// - Throws: ``SampleEncryptionError/cipher(_:)`` if OpenSSL fails.
    mutating func write(
        nalUnit: ByteBuffer,
        to output: inout ByteBuffer
    ) throws(SampleEncryptionError) {
        output.writeInteger(ByteBuffer.startCode)
        let start = output.writerIndex
        output.writeImmutableBuffer(nalUnit)
        guard try encryptBlocks(ofNALUnit: &output, at: start, length: nalUnit.readableBytes) else { return }
        // The decryptor takes one layer of emulation prevention off before it decrypts, and keeps the one below.
        output.preventEmulation(from: start)
    }

    /// Undoes what ``write(accessUnit:to:)`` has done to a NAL unit, where this was made to decrypt.
    ///
    /// - Parameter nalUnit: As it stands behind its start code.
    /// - Returns: The NAL unit as coded, with the emulation prevention bytes that it had before.
    /// - Throws: ``SampleEncryptionError/cipher(_:)`` if OpenSSL fails.
    package mutating func decrypted(nalUnit: ByteBuffer) throws(SampleEncryptionError) -> ByteBuffer {
        var coded = nalUnit.removingEmulationPrevention()
        let (start, length) = (coded.readerIndex, coded.readableBytes)
        // A unit that is too short is clear, and keeps its only layer of emulation prevention.
        return try encryptBlocks(ofNALUnit: &coded, at: start, length: length) ? coded : nalUnit
    }

    /// Returns whether it is a slice that is long enough to be encrypted.
    private mutating func encryptBlocks(
        ofNALUnit buffer: inout ByteBuffer,
        at start: Int,
        length: Int
    ) throws(SampleEncryptionError) -> Bool {
        // 32 bytes are clear. A block is encrypted if there is more behind it, so the last byte is never in one: that is
        // the pattern of `cbcs` over all bytes but the last.
        let length = length - Self.clearNALUnitBytes - 1
        guard length >= CipherContext.blockSize, Self.isSlice(buffer.getInteger(at: start)) else { return false }
        try unsafe buffer.withUnsafeMutableSample(
            at: start + Self.clearNALUnitBytes,
            length: length
        ) { range throws(SampleEncryptionError) in
            try cipher.start()
            try unsafe cipher.encrypt(range, pattern: .video)
        }
        return true
    }

    private static let clearNALUnitBytes = 32

    /// Returns true for a slice that is not partitioned: nal_unit_type 1 or 5 (ISO/IEC 14496-10 Table 7-1).
    private static func isSlice(_ header: UInt8?) -> Bool { header.map { [1, 5].contains($0 & 0x1F) } ?? false }
}
