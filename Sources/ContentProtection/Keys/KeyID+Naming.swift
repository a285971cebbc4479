package import MediaCore
import NIOCore

extension KeyID {
    /// The ID of a key that a key server makes, chosen by the client that requests it: always the same for the same key.
    ///
    /// It is a UUID made of a digest (RFC 9562 § 5.8), and says nothing of the key.
    ///
    /// - Throws: ``OpenSSLError`` without memory or without SHA-256.
    package init(content: String, period: CryptoPeriod, _ keyClass: KeyClass) throws(OpenSSLError) {
        var digest = try SHA256Context()
        let name = DerivationInfo(channel: content, period: period, keyClass: keyClass, purpose: .keyID)
        try digest.update(ByteBuffer(bytes: name.bytes))
        let bytes = try digest.finish()
        let word = { (bytes: ArraySlice<UInt8>) in bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
        self.init(
            Bytes16(
                high: word(bytes[..<8]) & ~0xF000 | 0x8000,
                low: word(bytes[8..<16]) & ~(3 << 62) | 2 << 62
            )
        )
    }
}
