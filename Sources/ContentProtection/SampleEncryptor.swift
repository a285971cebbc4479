package import MediaCore
package import NIOCore

/// Encrypts the samples of one track in place, scheme `cbcs` (ISO/IEC 23001-7 § 10.4).
///
/// In every protected range the pattern and the CBC chain start afresh, with the constant IV, at an encrypted block. The
/// chain runs on over the skipped blocks, so the encrypted blocks of a range are one message: they are gathered,
/// encrypted by one call, and scattered back. Only whole blocks are encrypted; up to 15 bytes at the end stay clear.
package struct SampleEncryptor: ~Copyable, Sendable {
    private var cipher: CipherContext
    private let iv: Bytes16
    private let cryptBlocks: Int
    private let skipBlocks: Int
    /// The gathered blocks of one range; only ever grows.
    private var scratch: [UInt8] = []

    /// - Parameters:
    ///   - key: The content key of the period.
    ///   - constantIV: Where every protected range starts from.
    ///   - pattern: Encrypted and skipped blocks in turn; without skipped blocks all are encrypted.
    /// - Throws: ``OpenSSLError`` without memory or without AES.
    package init(
        key: ContentKey,
        constantIV: Bytes16,
        pattern: TrackEncryption.Pattern
    ) throws(OpenSSLError) {
        self.cipher = try CipherContext(key: key, padding: .none)
        self.iv = constantIV
        self.cryptBlocks = Int(pattern.cryptBlocks)
        self.skipBlocks = Int(pattern.skipBlocks)
    }

    /// Encrypts a sample's payload.
    ///
    /// - Throws: As ``encrypt(_:at:length:subsamples:)``.
    package mutating func encrypt(_ sample: inout Sample) throws(SampleEncryptionError) {
        let (index, length) = (sample.payload.readerIndex, sample.payload.readableBytes)
        try encrypt(&sample.payload, at: index, length: length, subsamples: sample.subsamples)
    }

    /// Encrypts a sample somewhere in a buffer.
    ///
    /// - Parameters:
    ///   - buffer: Where the sample is.
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
        let start = index - buffer.readerIndex
        guard start >= 0, length >= 0, length <= buffer.readableBytes - start else {
            throw .outsideBuffer(index: index, length: length)
        }
        let covered = subsamples.reduce(0) { $0 + Int($1.clearBytes) + Int($1.protectedBytes) }
        guard subsamples.isEmpty || covered == length else {
            throw .subsamplesMismatch(covered: covered, length: length)
        }
        try unsafe buffer.withUnsafeMutableReadableBytes { bytes throws(SampleEncryptionError) in
            var position = start
            if subsamples.isEmpty {
                try unsafe encryptRange(.init(rebasing: bytes[position..<(position + length)]))
            }
            for subsample in subsamples {
                position += Int(subsample.clearBytes)
                let end = position + Int(subsample.protectedBytes)
                try unsafe encryptRange(.init(rebasing: bytes[position..<end]))
                position = end
            }
        }
    }

    private mutating func encryptRange(_ range: UnsafeMutableRawBufferPointer) throws(SampleEncryptionError) {
        let blocks = range.count / CipherContext.blockSize
        guard blocks > 0 else { return }
        do {
            try cipher.start(iv: iv)
            if skipBlocks == 0 {
                let whole = unsafe UnsafeMutableRawBufferPointer(rebasing: range[..<(blocks * CipherContext.blockSize)])
                _ = try unsafe cipher.update(UnsafeRawBufferPointer(whole), into: whole)
            } else {
                let (periods, rest) = blocks.quotientAndRemainder(dividingBy: cryptBlocks + skipBlocks)
                let gathered = (periods * cryptBlocks + min(rest, cryptBlocks)) * CipherContext.blockSize
                if scratch.count < gathered { scratch = [UInt8](repeating: 0, count: 2 * gathered) }
                let pattern = (cryptBlocks * CipherContext.blockSize, skipBlocks * CipherContext.blockSize)
                try unsafe Self.encryptPattern(pattern, of: range, gathered, &scratch, &cipher)
            }
        } catch {
            throw .cipher(error)
        }
    }

    /// Gathers the `gathered` bytes that the pattern, in bytes, encrypts; encrypts them; scatters them back.
    private static func encryptPattern(
        _ pattern: (crypt: Int, skip: Int),
        of range: UnsafeMutableRawBufferPointer,
        _ gathered: Int,
        _ scratch: inout [UInt8],
        _ cipher: inout CipherContext
    ) throws(OpenSSLError) {
        try unsafe scratch.withUnsafeMutableBufferPointer { scratch throws(OpenSSLError) in
            let message = unsafe UnsafeMutableRawBufferPointer(.init(rebasing: scratch[..<gathered]))
            forEachBlock(gathered, pattern) { inMessage, inRange in
                let block = unsafe range.loadUnaligned(fromByteOffset: inRange, as: UInt128.self)
                unsafe message.storeBytes(of: block, toByteOffset: inMessage, as: UInt128.self)
            }
            _ = try unsafe cipher.update(UnsafeRawBufferPointer(message), into: message)
            forEachBlock(gathered, pattern) { inMessage, inRange in
                let block = unsafe message.loadUnaligned(fromByteOffset: inMessage, as: UInt128.self)
                unsafe range.storeBytes(of: block, toByteOffset: inRange, as: UInt128.self)
            }
        }
    }

    /// Visits the encrypted blocks in order: where they lie in the gathered message and where in the range.
    @inline(__always)
    private static func forEachBlock(
        _ gathered: Int,
        _ pattern: (crypt: Int, skip: Int),
        _ body: (_ inMessage: Int, _ inRange: Int) -> Void
    ) {
        var inMessage = 0
        var inRange = 0
        while inMessage < gathered {
            let end = min(inMessage + pattern.crypt, gathered)
            while inMessage < end {
                body(inMessage, inRange)
                inMessage += CipherContext.blockSize
                inRange += CipherContext.blockSize
            }
            inRange += pattern.skip
        }
    }
}
