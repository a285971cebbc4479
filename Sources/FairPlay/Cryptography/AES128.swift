import COpenSSL
import ContentProtection
import MediaCore
import NIOCore

/// AES-128 as SPCs and CKCs use it: over whole blocks, without padding of its own.
///
/// Their keys are held as ``ContentKey``, too, which no text shows.
enum AES128 {
    /// Decrypts CBC in place.
    ///
    /// - Throws: ``FairPlayError/openSSL(_:)`` if OpenSSL fails.
    static func decrypt(_ blocks: inout ByteBuffer, key: ContentKey, iv: Bytes16) throws(FairPlayError) {
        try apply(.decrypting, to: &blocks, key: key, iv: iv)
    }

    /// Encrypts CBC in place.
    ///
    /// - Throws: ``FairPlayError/openSSL(_:)`` if OpenSSL fails.
    static func encrypt(_ blocks: inout ByteBuffer, key: ContentKey, iv: Bytes16) throws(FairPlayError) {
        try apply(.encrypting, to: &blocks, key: key, iv: iv)
    }

    /// Encrypts a block by itself (ECB), which is CBC with an IV of zeros.
    ///
    /// - Throws: ``FairPlayError/openSSL(_:)`` if OpenSSL fails.
    static func encrypt(_ block: Bytes16, key: ContentKey) throws(FairPlayError) -> Bytes16 {
        var buffer = ByteBuffer()
        buffer.write(block)
        try apply(.encrypting, to: &buffer, key: key, iv: Bytes16(high: 0, low: 0))
        guard let encrypted = buffer.readBytes16() else { preconditionFailure("a block is encrypted in place") }
        return encrypted
    }

    /// Returns true if a code of sixteen bytes is the AES-CMAC (NIST SP 800-38B) of a message; the time that this takes
    /// does not tell how much of it is right.
    ///
    /// - Throws: ``FairPlayError/openSSL(_:)`` if OpenSSL fails.
    static func authenticates(
        _ message: ByteBuffer,
        code: ByteBuffer,
        key: ContentKey
    ) throws(FairPlayError) -> Bool {
        var computed = [UInt8](repeating: 0, count: 16)
        var count = 0
        let key = key.secret.bytes
        let done = unsafe message.withUnsafeReadableBytes { message in
            unsafe EVP_Q_mac(
                nil,
                "CMAC",
                nil,
                "AES-128-CBC",
                nil,
                key,
                key.count,
                message.assumingMemoryBound(to: UInt8.self).baseAddress,
                message.count,
                &computed,
                computed.count,
                &count
            )
        }
        guard unsafe done != nil, count == code.readableBytes else { throw .openSSL(OpenSSLError("EVP_Q_mac")) }
        return unsafe CRYPTO_memcmp(computed, Array(code.readableBytesView), count) == 0
    }

    private static func apply(
        _ direction: CipherContext.Direction,
        to blocks: inout ByteBuffer,
        key: ContentKey,
        iv: Bytes16
    ) throws(FairPlayError) {
        do throws(OpenSSLError) {
            var cipher = try CipherContext(key: key, mode: .wholeBlockCBC, direction)
            try cipher.start(iv: iv)
            try unsafe blocks.withUnsafeMutableReadableBytes { bytes throws(OpenSSLError) in
                _ = try unsafe cipher.update(UnsafeRawBufferPointer(bytes), into: bytes)
            }
        } catch {
            throw .openSSL(error)
        }
    }
}
