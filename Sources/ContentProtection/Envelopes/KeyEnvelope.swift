import COpenSSL

/// Encrypts and authenticates keys under another key: AES-256 in CBC behind its initialization vector, padded by PKCS
/// #7, and HMAC with SHA-512 over both (CPIX 2.4 § 8.1).
package struct KeyEnvelope: Sendable {
    /// The bytes of the key that encrypts.
    package static let keySize = 32
    /// The bytes of the key that authenticates, of one made here.
    package static let authenticationKeySize = 64
    private static let blockSize = 16

    /// The contents of the envelope.
    package struct Contents: Hashable, Sendable {
        /// The initialization vector and the encrypted key.
        package var cipher: [UInt8]
        package var authenticationCode: [UInt8]

        package init(cipher: [UInt8], authenticationCode: [UInt8]) {
            self.cipher = cipher
            self.authenticationCode = authenticationCode
        }
    }

    private let key: [UInt8]
    private let authenticationKey: [UInt8]

    /// Takes a key of ``keySize`` bytes and any other that authenticates; nil if the first has another size.
    package init?(key: [UInt8], authenticationKey: [UInt8]) {
        guard key.count == Self.keySize, !authenticationKey.isEmpty else { return nil }
        self.key = key
        self.authenticationKey = authenticationKey
    }

    /// Returns random bytes.
    ///
    /// - Throws: ``OpenSSLError`` when the system gives no entropy.
    package static func randomBytes(_ count: Int) throws(OpenSSLError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        guard unsafe RAND_bytes(&bytes, CInt(count)) == 1 else { throw OpenSSLError("RAND_bytes") }
        return bytes
    }

    package func seal(_ bytes: [UInt8]) throws(OpenSSLError) -> Contents {
        let vector = try Self.randomBytes(Self.blockSize)
        let cipher = try vector + transform(bytes, vector: vector, isEncrypting: true)
        return Contents(cipher: cipher, authenticationCode: try authenticationCode(of: cipher))
    }

    /// Decrypts the contents, after a check that nobody changed them.
    ///
    /// - Returns: The contents; nil if they were changed, or are for another key.
    /// - Throws: ``OpenSSLError`` without memory or without the algorithms.
    package func open(_ contents: Contents) throws(OpenSSLError) -> [UInt8]? {
        let code = try authenticationCode(of: contents.cipher)
        guard code.count == contents.authenticationCode.count,
            unsafe CRYPTO_memcmp(code, contents.authenticationCode, code.count) == 0,
            contents.cipher.count > Self.blockSize
        else { return nil }
        let vector = Array(contents.cipher.prefix(Self.blockSize))
        return try transform(Array(contents.cipher.dropFirst(Self.blockSize)), vector: vector, isEncrypting: false)
    }

    private func authenticationCode(of bytes: [UInt8]) throws(OpenSSLError) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: 64)
        var count = 0
        let result = unsafe EVP_Q_mac(
            nil,
            "HMAC",
            nil,
            "SHA512",
            nil,
            authenticationKey,
            authenticationKey.count,
            bytes,
            bytes.count,
            &code,
            code.count,
            &count
        )
        guard unsafe result != nil, count == code.count else { throw OpenSSLError("EVP_Q_mac") }
        return code
    }

    private func transform(
        _ bytes: [UInt8],
        vector: [UInt8],
        isEncrypting: Bool
    ) throws(OpenSSLError) -> [UInt8] {
        guard let context = unsafe EVP_CIPHER_CTX_new() else { throw OpenSSLError("EVP_CIPHER_CTX_new") }
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        var output = [UInt8](repeating: 0, count: bytes.count + Self.blockSize)
        var (count, rest): (CInt, CInt) = (0, 0)
        let direction: CInt = isEncrypting ? 1 : 0
        let isDone = unsafe output.withUnsafeMutableBufferPointer { output in
            unsafe EVP_CipherInit_ex(context, EVP_aes_256_cbc(), nil, key, vector, direction) == 1
                && EVP_CipherUpdate(context, output.baseAddress, &count, bytes, CInt(bytes.count)) == 1
                && EVP_CipherFinal_ex(context, output.baseAddress.map { unsafe $0 + Int(count) }, &rest) == 1
        }
        guard isDone else { throw OpenSSLError("EVP_CipherFinal_ex") }
        return Array(output.prefix(Int(count + rest)))
    }
}

extension KeyEnvelope: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "KeyEnvelope(redacted)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
