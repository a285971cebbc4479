import COpenSSL

/// HKDF with SHA-256 (RFC 5869): independent keys from one secret.
enum HKDF {
    /// Extract, then expand.
    ///
    /// - Parameters:
    ///   - secret: Input keying material.
    ///   - salt: May be empty.
    ///   - info: The purpose of the output: different bytes give unrelated outputs.
    ///   - count: Bytes wanted, at most 8160 (255 digests).
    /// - Returns: Output keying material, `count` bytes.
    /// - Throws: ``OpenSSLError`` if `count` is too large, without memory or without SHA-256.
    static func derive(
        secret: [UInt8],
        salt: [UInt8],
        info: [UInt8],
        count: Int
    ) throws(OpenSSLError) -> [UInt8] {
        let context = try KDFContext()
        var output = [UInt8](repeating: 0, count: count)
        try context.derive(secret: secret, salt: salt, info: info, into: &output)
        return output
    }
}

/// The only owner of an EVP_KDF_CTX for HKDF.
@safe private struct KDFContext: ~Copyable {
    private let context: OpaquePointer

    init() throws(OpenSSLError) {
        guard let function = unsafe EVP_KDF_fetch(nil, "HKDF", nil) else { throw OpenSSLError("EVP_KDF_fetch") }
        // The context holds a reference of its own.
        defer { unsafe EVP_KDF_free(function) }
        guard let context = unsafe EVP_KDF_CTX_new(function) else { throw OpenSSLError("EVP_KDF_CTX_new") }
        unsafe self.context = context
    }

    deinit {
        unsafe EVP_KDF_CTX_free(context)
    }

    borrowing func derive(
        secret: [UInt8],
        salt: [UInt8],
        info: [UInt8],
        into output: inout [UInt8]
    ) throws(OpenSSLError) {
        let context = unsafe self.context
        let count = output.count
        let status = unsafe secret.withUnsafeBytes { secret in
            unsafe salt.withUnsafeBytes { salt in
                unsafe info.withUnsafeBytes { info in
                    let parameters = unsafe [
                        copenssl_kdf_digest_sha256(),
                        copenssl_kdf_key(secret.baseAddress, secret.count),
                        copenssl_kdf_salt(salt.baseAddress, salt.count),
                        copenssl_kdf_info(info.baseAddress, info.count),
                        OSSL_PARAM_construct_end(),
                    ]
                    return unsafe EVP_KDF_derive(context, &output, count, parameters)
                }
            }
        }
        guard status == 1 else { throw OpenSSLError("EVP_KDF_derive") }
    }
}
