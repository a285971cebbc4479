import COpenSSL
import ContentProtection
import MediaCore

/// The cryptography of a device, with OpenSSL.
enum TestCryptography {
    struct Failure: Error {
        var operation: String
    }

    static func digest(_ name: String, _ bytes: [UInt8]) throws -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 64)
        var count = 0
        guard EVP_Q_digest(nil, name, nil, bytes, bytes.count, &digest, &count) == 1 else {
            throw Failure(operation: name)
        }
        return Array(digest.prefix(count))
    }

    /// AES-128-CBC without padding.
    static func cbc(
        _ direction: CipherContext.Direction,
        _ bytes: [UInt8],
        key: [UInt8],
        iv: [UInt8] = [UInt8](repeating: 0, count: 16)
    ) throws -> [UInt8] {
        guard let key = Bytes16(key), let iv = Bytes16(iv) else { throw Failure(operation: "key") }
        var cipher = try CipherContext(key: ContentKey(key), mode: .wholeBlockCBC, direction)
        try cipher.start(iv: iv)
        var output = [UInt8](repeating: 0, count: bytes.count)
        try bytes.withUnsafeBytes { input in
            try output.withUnsafeMutableBytes { _ = try cipher.update(input, into: $0) }
        }
        return output
    }

    static func cmac(_ bytes: [UInt8], key: [UInt8]) throws -> [UInt8] {
        var code = [UInt8](repeating: 0, count: 16)
        let done = EVP_Q_mac(
            nil,
            "CMAC",
            nil,
            "AES-128-CBC",
            nil,
            key,
            key.count,
            bytes,
            bytes.count,
            &code,
            code.count,
            nil
        )
        guard done != nil else { throw Failure(operation: "CMAC") }
        return code
    }

    /// RSA-OAEP for the public key of a certificate.
    static func wrap(_ key: [UInt8], certificate: [UInt8], digest: String) throws -> [UInt8] {
        try certificate.withUnsafeBufferPointer { der in
            var position = der.baseAddress
            guard let parsed = d2i_X509(nil, &position, der.count) else { throw Failure(operation: "d2i_X509") }
            defer { X509_free(parsed) }
            guard let context = EVP_PKEY_CTX_new(X509_get0_pubkey(parsed), nil) else {
                throw Failure(operation: "EVP_PKEY_CTX_new")
            }
            defer { EVP_PKEY_CTX_free(context) }
            let algorithm = EVP_get_digestbyname(digest)
            var wrapped = [UInt8](repeating: 0, count: 256)
            var count = wrapped.count
            guard EVP_PKEY_encrypt_init(context) == 1,
                EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_OAEP_PADDING) == 1,
                EVP_PKEY_CTX_set_rsa_oaep_md(context, algorithm) == 1,
                EVP_PKEY_CTX_set_rsa_mgf1_md(context, algorithm) == 1,
                EVP_PKEY_encrypt(context, &wrapped, &count, key, key.count) == 1
            else { throw Failure(operation: "EVP_PKEY_encrypt") }
            return Array(wrapped.prefix(count))
        }
    }
}
