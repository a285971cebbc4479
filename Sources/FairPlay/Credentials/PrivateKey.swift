import COpenSSL
import ContentProtection
import MediaCore
import NIOCore

/// The RSA key of an application certificate: the only owner of an EVP_PKEY.
@safe final class PrivateKey: @unchecked Sendable {
    // Sendable: it is never changed, and libcrypto counts its references with atomics.
    private let key: OpaquePointer

    /// Reads PEM, PKCS #8 or PKCS #1, without a passphrase.
    ///
    /// - Throws: ``CertificateError/privateKey(_:)`` for anything else.
    init(pem: [UInt8]) throws(CertificateError) {
        let key = unsafe pem.withUnsafeBytes { pem -> OpaquePointer? in
            // It reads the memory itself, of which it has no copy.
            guard let file = unsafe BIO_new_mem_buf(pem.baseAddress, CInt(clamping: pem.count)) else { return nil }
            defer { unsafe BIO_free(file) }
            // Where a passphrase is wanted, the empty one is offered; without one OpenSSL would ask at the terminal.
            return unsafe "".withCString { passphrase in
                unsafe PEM_read_bio_PrivateKey(file, nil, nil, UnsafeMutableRawPointer(mutating: passphrase))
            }
        }
        guard let key = unsafe key else { throw .privateKey(OpenSSLError("PEM_read_bio_PrivateKey")) }
        unsafe self.key = key
    }

    deinit {
        unsafe EVP_PKEY_free(key)
    }

    /// Bits of the modulus; 0 for a key that is not RSA.
    var bits: Int { unsafe EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA ? Int(EVP_PKEY_get_bits(key)) : 0 }

    /// Whether a certificate in DER has the public key of this one.
    func belongs(to certificate: [UInt8]) -> Bool {
        // Why not is in the queue of errors, where the next one would find it.
        defer { ERR_clear_error() }
        return unsafe certificate.withUnsafeBufferPointer { certificate in
            var position = certificate.baseAddress
            guard let parsed = unsafe d2i_X509(nil, &position, certificate.count) else { return false }
            defer { unsafe X509_free(parsed) }
            return unsafe X509_check_private_key(parsed, key) == 1
        }
    }

    /// Unwraps a key of sixteen bytes (RSA-OAEP, RFC 8017 § 7.1).
    ///
    /// - Parameters:
    ///   - wrapped: As many bytes as the modulus has.
    ///   - digest: Of OAEP and of MGF1.
    /// - Returns: The key, which encrypts a message.
    /// - Throws: ``FairPlayError/unwrapping`` where it was not wrapped for this key, or is damaged.
    func unwrap(_ wrapped: ByteBuffer, _ digest: Digest) throws(FairPlayError) -> ContentKey {
        guard let context = unsafe EVP_PKEY_CTX_new(key, nil) else {
            throw .openSSL(OpenSSLError("EVP_PKEY_CTX_new"))
        }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        let algorithm = unsafe EVP_get_digestbyname(digest.rawValue)
        guard unsafe EVP_PKEY_decrypt_init(context) == 1,
            unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_OAEP_PADDING) == 1,
            unsafe EVP_PKEY_CTX_set_rsa_oaep_md(context, algorithm) == 1,
            unsafe EVP_PKEY_CTX_set_rsa_mgf1_md(context, algorithm) == 1
        else { throw .openSSL(OpenSSLError("EVP_PKEY_decrypt_init")) }
        var unwrapped = [UInt8](repeating: 0, count: (bits + 7) / 8)
        var count = unwrapped.count
        let status = unsafe EVP_PKEY_decrypt(
            context,
            &unwrapped,
            &count,
            Array(wrapped.readableBytesView),
            wrapped.readableBytes
        )
        // All that fails here fails alike: a sender learns nothing about how far it came (RFC 8017 § 7.1.2).
        guard status == 1, let key = Bytes16(unwrapped.prefix(count)) else {
            ERR_clear_error()
            throw .unwrapping
        }
        return ContentKey(key)
    }
}
