import ContentProtection
import MediaCore
import NIOCore

/// The answer to a device's SPC (CKC): TLLVs, encrypted so that only this device reads them, and only this once.
///
/// | bytes | what |
/// |---|---|
/// | 4 | version: 2 where R1 is that of the video decoder's session key, else 1 |
/// | 4 | reserved |
/// | 16 | IV |
/// | 4 | payload length |
/// | n × 16 | payload: TLLVs under AES-128-CBC without padding |
enum ContentKeyContext {
    /// Writes and encrypts it.
    ///
    /// - Throws: ``FairPlayError/openSSL(_:)`` if OpenSSL fails.
    static func seal(
        _ fields: [TLLV],
        version: UInt32,
        r1: [UInt8],
        antiReplaySeed: Bytes16
    ) throws(FairPlayError) -> ByteBuffer {
        var payload = ByteBuffer()
        for field in fields { field.write(to: &payload) }
        let iv = Bytes16(high: .random(in: 0 ... .max), low: .random(in: 0 ... .max))
        let digest: [UInt8]
        do throws(OpenSSLError) {
            digest = try MessageDigest.sha1.digest(r1)
        } catch {
            throw .openSSL(error)
        }
        guard let seedKey = Bytes16(digest.prefix(16)) else { preconditionFailure("SHA-1 has 20 bytes") }
        let key = ContentKey(try AES128.encrypt(antiReplaySeed, key: ContentKey(seedKey)))
        try AES128.encrypt(&payload, key: key, iv: iv)
        var ckc = ByteBuffer.integers(version, UInt32(0))
        ckc.write(iv)
        ckc.writeInteger(UInt32(payload.readableBytes))
        ckc.writeImmutableBuffer(payload)
        return ckc
    }
}
