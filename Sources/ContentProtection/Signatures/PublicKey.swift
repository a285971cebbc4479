import COpenSSL

/// A public key made of its parameters: the only owner of an EVP_PKEY.
@safe struct PublicKey: ~Copyable, @unchecked Sendable {
    // Sendable: it is never changed, and libcrypto counts its references with atomics.
    private let key: OpaquePointer

    /// An RSA key of its modulus and public exponent, most significant byte first; nil if they are none.
    init?(modulus: [UInt8], exponent: [UInt8]) {
        guard !modulus.isEmpty, !exponent.isEmpty else { return nil }
        // OpenSSL takes integers in the machine's own order of bytes.
        let isLittleEndian = UInt16(1).littleEndian == 1
        let modulus = isLittleEndian ? modulus.reversed() : modulus
        let exponent = isLittleEndian ? exponent.reversed() : exponent
        let key = unsafe modulus.withUnsafeBytes { modulus in
            unsafe exponent.withUnsafeBytes { exponent in
                unsafe Self.key(
                    of: "RSA",
                    [
                        copenssl_rsa_modulus(modulus.baseAddress, modulus.count),
                        copenssl_rsa_exponent(exponent.baseAddress, exponent.count),
                    ]
                )
            }
        }
        guard let key = unsafe key else { return nil }
        unsafe self.key = key
    }

    /// A key on the curve P-256; nil if the point is not on it.
    ///
    /// - Parameter point: Uncompressed (SEC 1 § 2.3.3): 4, then both coordinates of 32 bytes each.
    init?(p256 point: [UInt8]) {
        let key = unsafe point.withUnsafeBytes { point in
            unsafe Self.key(of: "EC", [copenssl_ec_group_p256(), copenssl_ec_point(point.baseAddress, point.count)])
        }
        guard let key = unsafe key else { return nil }
        unsafe self.key = key
    }

    private static func key(of type: String, _ parameters: [OSSL_PARAM]) -> OpaquePointer? {
        defer { ERR_clear_error() }
        guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, type, nil) else { return nil }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var parameters = unsafe parameters + [OSSL_PARAM_construct_end()]
        var key: OpaquePointer?
        guard unsafe EVP_PKEY_fromdata_init(context) == 1,
            unsafe EVP_PKEY_fromdata(context, &key, copenssl_public_key(), &parameters) == 1
        else { return nil }
        return unsafe key
    }

    deinit {
        unsafe EVP_PKEY_free(key)
    }

    /// The length of an RSA key's modulus, or of a curve's order.
    var bits: Int { Int(unsafe EVP_PKEY_get_bits(key)) }

    /// Returns true if a signature of bytes is by the holder of the private key: RSASSA-PKCS1-v1_5 (RFC 8017 § 8.2), or
    /// ECDSA in DER.
    borrowing func verifies(_ signature: [UInt8], of bytes: [UInt8], _ digest: MessageDigest) -> Bool {
        unsafe digest.verifies(signature, of: bytes, by: key)
    }
}
