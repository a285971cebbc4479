import COpenSSL
import NIOCore

/// SHA-256 over fields, each behind its count of bytes: the only owner of an EVP_MD_CTX.
@safe struct SHA256Context: ~Copyable {
    private let context: OpaquePointer

    /// - Throws: ``OpenSSLError`` without memory or without SHA-256.
    init() throws(OpenSSLError) {
        guard let context = unsafe EVP_MD_CTX_new() else { throw OpenSSLError("EVP_MD_CTX_new") }
        guard unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
            unsafe EVP_MD_CTX_free(context)
            throw OpenSSLError("EVP_DigestInit_ex")
        }
        unsafe self.context = context
    }

    deinit {
        unsafe EVP_MD_CTX_free(context)
    }

    mutating func update(_ field: String) throws(OpenSSLError) {
        try update(ByteBuffer(string: field))
    }

    mutating func update(_ field: ByteBuffer) throws(OpenSSLError) {
        var count = UInt64(field.readableBytes).bigEndian
        var status = unsafe EVP_DigestUpdate(context, &count, 8)
        if status == 1 {
            let context = unsafe context
            status = unsafe field.withUnsafeReadableBytes { bytes in
                unsafe EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
            }
        }
        guard status == 1 else { throw OpenSSLError("EVP_DigestUpdate") }
    }

    /// The digest's 32 bytes; nothing more may be added.
    mutating func finish() throws(OpenSSLError) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        guard unsafe EVP_DigestFinal_ex(context, &digest, nil) == 1 else { throw OpenSSLError("EVP_DigestFinal_ex") }
        return digest
    }
}
