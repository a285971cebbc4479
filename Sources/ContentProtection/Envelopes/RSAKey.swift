import COpenSSL

/// The only owner of an EVP_PKEY: an RSA key, public or private.
@safe struct RSAKey: ~Copyable, @unchecked Sendable {
    // Sendable: it is never changed, and libcrypto counts its references with atomics.
    private let key: OpaquePointer

    enum Direction {
        case encrypting, decrypting
    }

    /// The public key of a certificate in ASN.1; nil if it is none, or of another kind.
    init?(certificate der: [UInt8]) {
        let key = unsafe der.withUnsafeBufferPointer { bytes -> OpaquePointer? in
            var position = bytes.baseAddress
            guard let certificate = unsafe d2i_X509(nil, &position, bytes.count) else { return nil }
            defer { unsafe X509_free(certificate) }
            return unsafe X509_get_pubkey(certificate)
        }
        unsafe self.init(owning: key)
    }

    /// The first private key in PEM; nil if there is none, or one of another kind.
    init?(privatePEM pem: [UInt8]) {
        let key = unsafe pem.withUnsafeBufferPointer { bytes -> OpaquePointer? in
            guard let file = unsafe BIO_new_mem_buf(bytes.baseAddress, CInt(bytes.count)) else { return nil }
            defer { unsafe BIO_free(file) }
            // An empty passphrase, so that OpenSSL does not ask for one at a terminal.
            return unsafe "".withCString { passphrase in
                unsafe PEM_read_bio_PrivateKey(file, nil, nil, UnsafeMutableRawPointer(mutating: passphrase))
            }
        }
        unsafe self.init(owning: key)
    }

    private init?(owning key: OpaquePointer?) {
        // The caller reports the problem, because it knows the key's origin.
        ERR_clear_error()
        guard let key = unsafe key else { return nil }
        guard unsafe EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA else {
            unsafe EVP_PKEY_free(key)
            return nil
        }
        unsafe self.key = key
    }

    deinit {
        unsafe EVP_PKEY_free(key)
    }

    /// The number of bits of its modulus.
    var bits: Int { Int(unsafe EVP_PKEY_get_bits(key)) }

    /// RSA-OAEP, and MGF1 with the same digest.
    borrowing func transform(
        _ bytes: [UInt8],
        _ direction: Direction,
        _ digest: MessageDigest
    ) throws(OpenSSLError) -> [UInt8] {
        guard let context = unsafe EVP_PKEY_CTX_new(key, nil) else { throw OpenSSLError("EVP_PKEY_CTX_new") }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var output = [UInt8](repeating: 0, count: Int(unsafe EVP_PKEY_get_size(key)))
        var count = output.count
        let isDone: Bool
        switch direction {
        case .encrypting:
            isDone =
                unsafe EVP_PKEY_encrypt_init(context) == 1
                && usesOAEP(context, digest)
                && EVP_PKEY_encrypt(context, &output, &count, bytes, bytes.count) == 1
        case .decrypting:
            isDone =
                unsafe EVP_PKEY_decrypt_init(context) == 1
                && usesOAEP(context, digest)
                && EVP_PKEY_decrypt(context, &output, &count, bytes, bytes.count) == 1
        }
        guard isDone else { throw OpenSSLError("RSA-OAEP") }
        return Array(output.prefix(count))
    }

    private borrowing func usesOAEP(_ context: OpaquePointer, _ digest: MessageDigest) -> Bool {
        unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_OAEP_PADDING) == 1
            && EVP_PKEY_CTX_set_rsa_oaep_md(context, digest.algorithm) == 1
            && EVP_PKEY_CTX_set_rsa_mgf1_md(context, digest.algorithm) == 1
    }

    borrowing func verifies(_ signature: [UInt8], of bytes: [UInt8], _ digest: MessageDigest) -> Bool {
        unsafe digest.verifies(signature, of: bytes, by: key)
    }

    borrowing func isEqual(to other: borrowing RSAKey) -> Bool { unsafe EVP_PKEY_eq(key, other.key) == 1 }
}
