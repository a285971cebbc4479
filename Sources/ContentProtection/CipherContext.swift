import COpenSSL
package import MediaCore

/// AES in CBC, counter or Galois/counter mode, in one direction: the only owner of an EVP_CIPHER_CTX.
///
/// The key schedule is computed once; `start(iv:)` begins another message under the same key.
@safe package struct CipherContext: ~Copyable, @unchecked Sendable {
    // Sendable: EVP contexts are not bound to a thread, and a noncopyable value has one owner at a time.
    private let context: OpaquePointer

    /// Bytes of an AES block, and of an initialization vector and an authentication tag.
    static let blockSize = 16
    /// EVP counts in 32-bit integers: longer messages are handed over in pieces, whole blocks each.
    private static let pieceSize = 1 << 30

    package enum Mode {
        /// CBC, padded by PKCS #7 (RFC 5652 § 6.3): 1 to 16 bytes are appended, or taken off.
        case paddedCBC
        /// CBC over a message that is whole blocks already.
        case wholeBlockCBC
        /// CTR with a 128-bit big-endian counter, which a message starts at its IV; any count of bytes.
        case counter
        /// GCM with an IV of a block (NIST SP 800-38D); any count of bytes. Keys have 32 bytes, and 16 in the other modes.
        case galoisCounter
    }

    package enum Direction: CInt {
        case decrypting = 0
        case encrypting = 1
    }

    /// - Throws: ``OpenSSLError`` without memory or without AES, or for a key of another length than the mode's.
    package init(key: ContentKey, mode: Mode, _ direction: Direction = .encrypting) throws(OpenSSLError) {
        guard let context = unsafe EVP_CIPHER_CTX_new() else { throw OpenSSLError("EVP_CIPHER_CTX_new") }
        let type =
            switch mode {
            case .paddedCBC, .wholeBlockCBC: unsafe EVP_aes_128_cbc()
            case .counter: unsafe EVP_aes_128_ctr()
            case .galoisCounter: unsafe EVP_aes_256_gcm()
            }
        // Keys come from servers and files.
        guard key.bytes.count == Int(unsafe EVP_CIPHER_get_key_length(type)) else {
            unsafe EVP_CIPHER_CTX_free(context)
            throw OpenSSLError("EVP_CIPHER_get_key_length")
        }
        var initialized = unsafe EVP_CipherInit_ex(context, type, nil, nil, nil, direction.rawValue)
        if mode == .galoisCounter, initialized == 1 {
            // OpenSSL's default is an IV of twelve bytes.
            initialized = unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, CInt(Self.blockSize), nil)
        }
        if initialized == 1 { initialized = unsafe EVP_CipherInit_ex(context, nil, nil, key.bytes, nil, -1) }
        guard initialized == 1 else {
            unsafe EVP_CIPHER_CTX_free(context)
            throw OpenSSLError("EVP_CipherInit_ex")
        }
        unsafe EVP_CIPHER_CTX_set_padding(context, mode == .paddedCBC ? 1 : 0)
        unsafe self.context = context
    }

    deinit {
        unsafe EVP_CIPHER_CTX_free(context)
    }

    /// Begins a message.
    package mutating func start(iv: Bytes16) throws(OpenSSLError) {
        let bytes: (UInt64, UInt64) = (iv.high.bigEndian, iv.low.bigEndian)
        let status = unsafe withUnsafeBytes(of: bytes) { iv in
            // -1 keeps the direction.
            unsafe EVP_CipherInit_ex(context, nil, nil, nil, iv.assumingMemoryBound(to: UInt8.self).baseAddress, -1)
        }
        guard status == 1 else { throw OpenSSLError("EVP_CipherInit_ex") }
    }

    /// Continues a message.
    ///
    /// - Parameters:
    ///   - input: Whole blocks, unless the message is padded and these are its last bytes, or in counter mode.
    ///   - output: As much room as `input` has; it may be `input` itself.
    /// - Returns: Bytes written. Padded CBC writes whole blocks; an incomplete one waits for `finish(into:)`.
    /// - Throws: ``OpenSSLError`` if OpenSSL fails.
    package mutating func update(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(OpenSSLError) -> Int {
        var written = 0
        var position = 0
        while position < input.count {
            let size = min(input.count - position, Self.pieceSize)
            var count: CInt = 0
            let status = unsafe EVP_CipherUpdate(
                context,
                output[written...].assumingMemoryBound(to: UInt8.self).baseAddress,
                &count,
                input[position...].assumingMemoryBound(to: UInt8.self).baseAddress,
                CInt(size)
            )
            guard status == 1 else { throw OpenSSLError("EVP_CipherUpdate") }
            position += size
            written += Int(count)
        }
        return written
    }

    /// Ends a message, with its last block if it is padded.
    ///
    /// - Parameter output: Room for a block.
    /// - Returns: The bytes written: 16 with padding, fewer in decryption.
    /// - Throws: ``OpenSSLError`` if OpenSSL fails, or decrypted data has no padding at its end, or another tag.
    mutating func finish(into output: UnsafeMutableRawBufferPointer) throws(OpenSSLError) -> Int {
        var count: CInt = 0
        let status = unsafe EVP_CipherFinal_ex(
            context,
            output.assumingMemoryBound(to: UInt8.self).baseAddress,
            &count
        )
        guard status == 1 else { throw OpenSSLError("EVP_CipherFinal_ex") }
        return Int(count)
    }

    /// The tag of a message that was encrypted in Galois/counter mode and has ended.
    ///
    /// - Throws: ``OpenSSLError`` if OpenSSL fails.
    mutating func tag() throws(OpenSSLError) -> [UInt8] {
        var tag = [UInt8](repeating: 0, count: Self.blockSize)
        guard unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, CInt(tag.count), &tag) == 1 else {
            throw OpenSSLError("EVP_CIPHER_CTX_ctrl")
        }
        return tag
    }

    /// Sets the tag, a block long, that a message to be decrypted in Galois/counter mode must have.
    ///
    /// - Throws: ``OpenSSLError`` if OpenSSL fails.
    mutating func expect(tag: [UInt8]) throws(OpenSSLError) {
        var tag = tag
        guard unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, CInt(tag.count), &tag) == 1 else {
            throw OpenSSLError("EVP_CIPHER_CTX_ctrl")
        }
    }
}
