import MediaCore

/// AES-128-CBC over the encrypted blocks of a range, which passes over the skipped blocks of a pattern.
///
/// The chain runs on over the skipped blocks, so the encrypted blocks of a range are one message: they are gathered,
/// encrypted by one call, and scattered back. Only whole blocks are encrypted; up to 15 bytes at the end stay clear.
struct PatternCipher: ~Copyable, Sendable {
    private var cipher: CipherContext
    private let iv: Bytes16
    /// The gathered blocks of one range; only ever grows.
    private var scratch: [UInt8] = []

    /// - Parameters:
    ///   - key: The content key of the period.
    ///   - iv: The vector that every chain starts from.
    ///   - direction: True if it is undone instead.
    /// - Throws: ``OpenSSLError`` without memory or without AES.
    init(
        key: ContentKey,
        iv: Bytes16,
        _ direction: CipherContext.Direction = .encrypting
    ) throws(OpenSSLError) {
        self.cipher = try CipherContext(key: key, mode: .wholeBlockCBC, direction)
        self.iv = iv
    }

    /// Begins a chain at the IV.
    ///
    /// - Throws: ``SampleEncryptionError/cipher(_:)`` if OpenSSL fails.
    mutating func start() throws(SampleEncryptionError) {
        do { try cipher.start(iv: iv) } catch { throw .cipher(error) }
    }

    /// Encrypts a range, in which the pattern starts afresh while the chain continues.
    ///
    /// - Parameters:
    ///   - range: The bytes, encrypted in place.
    ///   - pattern: Encrypted and skipped blocks in turn; without skipped blocks all are encrypted.
    /// - Throws: ``SampleEncryptionError/cipher(_:)`` if OpenSSL fails.
    mutating func encrypt(
        _ range: UnsafeMutableRawBufferPointer,
        pattern: TrackEncryption.Pattern
    ) throws(SampleEncryptionError) {
        let blocks = range.count / CipherContext.blockSize
        let (crypt, skip) = (Int(pattern.cryptBlocks), Int(pattern.skipBlocks))
        do {
            if skip == 0 {
                let whole = unsafe UnsafeMutableRawBufferPointer(rebasing: range[..<(blocks * CipherContext.blockSize)])
                _ = try unsafe cipher.update(UnsafeRawBufferPointer(whole), into: whole)
            } else {
                let (periods, rest) = blocks.quotientAndRemainder(dividingBy: crypt + skip)
                let gathered = (periods * crypt + min(rest, crypt)) * CipherContext.blockSize
                if scratch.count < gathered { scratch = [UInt8](repeating: 0, count: 2 * gathered) }
                let pattern = (crypt * CipherContext.blockSize, skip * CipherContext.blockSize)
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

    /// Visits the encrypted blocks in order, with their places in the gathered message and in the range.
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
