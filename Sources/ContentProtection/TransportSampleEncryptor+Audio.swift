internal import MediaCore
package import NIOCore

extension TransportSampleEncryptor {
    /// The first bytes of an AAC frame behind its header, and of a syncframe.
    private static let clearAudioBytes = 16

    /// Encrypts an AAC frame in place.
    ///
    /// - Parameters:
    ///   - buffer: The buffer that the frame is in.
    ///   - index: Index of its first byte, behind the ADTS header, which stays clear.
    ///   - length: Bytes of the frame without its header.
    /// - Throws: ``SampleEncryptionError`` if the frame is not within the buffer's readable bytes, before anything is
    ///   changed, or if OpenSSL fails.
    package mutating func encryptAAC(
        _ buffer: inout ByteBuffer,
        at index: Int,
        length: Int
    ) throws(SampleEncryptionError) {
        try unsafe buffer.withUnsafeMutableSample(at: index, length: length) { frame throws(SampleEncryptionError) in
            try cipher.start()
            try unsafe encryptBlocks(of: frame)
        }
    }

    /// Encrypts an AC-3 syncframe in place.
    ///
    /// - Parameters:
    ///   - buffer: The buffer that the syncframe is in.
    ///   - index: Index of its first byte.
    ///   - length: Bytes of the syncframe.
    /// - Throws: ``SampleEncryptionError`` if the syncframe is not within the buffer's readable bytes or does not begin
    ///   with the sync word, before anything is changed, or if OpenSSL fails.
    package mutating func encryptAC3(
        _ buffer: inout ByteBuffer,
        at index: Int,
        length: Int
    ) throws(SampleEncryptionError) {
        try unsafe buffer.withUnsafeMutableSample(at: index, length: length) { frame throws(SampleEncryptionError) in
            guard unsafe Self.beginsWithSyncWord(frame) else { throw .malformed(.syncframes) }
            try cipher.start()
            try unsafe encryptBlocks(of: frame)
        }
    }

    /// Encrypts an E-AC-3 access unit in place.
    ///
    /// - Parameters:
    ///   - buffer: The buffer with the access unit.
    ///   - index: Index of its first byte.
    ///   - length: Bytes of its syncframes, each of which begins clear.
    /// - Throws: ``SampleEncryptionError`` if the access unit is not within the buffer's readable bytes or its
    ///   syncframes do not add up to it, before anything is changed, or if OpenSSL fails.
    package mutating func encryptEAC3(
        _ buffer: inout ByteBuffer,
        at index: Int,
        length: Int
    ) throws(SampleEncryptionError) {
        try unsafe buffer.withUnsafeMutableSample(at: index, length: length) { unit throws(SampleEncryptionError) in
            guard unsafe !unit.isEmpty else { throw .malformed(.syncframes) }
            try unsafe Self.forEachSyncframe(of: unit) { _ in }
            // The chain runs on from syncframe to syncframe.
            try cipher.start()
            try unsafe Self.forEachSyncframe(of: unit) { syncframe throws(SampleEncryptionError) in
                try unsafe encryptBlocks(of: syncframe)
            }
        }
    }

    private mutating func encryptBlocks(of frame: UnsafeMutableRawBufferPointer) throws(SampleEncryptionError) {
        guard frame.count >= Self.clearAudioBytes + CipherContext.blockSize else { return }
        try unsafe cipher.encrypt(.init(rebasing: frame[Self.clearAudioBytes...]), pattern: .wholeSample)
    }

    private static func forEachSyncframe(
        of unit: UnsafeMutableRawBufferPointer,
        _ body: (UnsafeMutableRawBufferPointer) throws(SampleEncryptionError) -> Void
    ) throws(SampleEncryptionError) {
        var rest = unsafe unit
        while unsafe !rest.isEmpty {
            // ETSI TS 102 366 § E.1.2.2: behind the sync word, two bits of type, three of substream, and frmsiz, half
            // the size less one, in eleven.
            guard rest.count >= 4, unsafe beginsWithSyncWord(rest) else { throw .malformed(.syncframes) }
            let frameSizeCode = unsafe Int(rest[2] & 7) << 8 | Int(rest[3])
            let size = 2 * (frameSizeCode + 1)
            guard size <= rest.count else { throw .malformed(.syncframes) }
            try unsafe body(.init(rebasing: rest[..<size]))
            unsafe rest = .init(rebasing: rest[size...])
        }
    }

    /// Returns true if it begins with 0B77 (ETSI TS 102 366 § 4.4.1.1).
    private static func beginsWithSyncWord(_ bytes: UnsafeMutableRawBufferPointer) -> Bool {
        unsafe bytes.count >= 2 && bytes[0] == 0x0B && bytes[1] == 0x77
    }
}
