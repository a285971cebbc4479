/// The cipher of whole segments and initialization sections (RFC 8216bis § 4.4.4.4).
package enum SegmentCipher: Hashable, Sendable {
    /// METHOD=AES-128: AES-128 in CBC mode with PKCS #7 padding.
    case aes128
    /// METHOD=AES-256-GCM: a resource is its initialization vector, the ciphertext, and a tag of sixteen bytes.
    case aes256GCM

    /// Bytes of a key.
    package var keySize: Int {
        switch self {
        case .aes128: 16
        case .aes256GCM: 32
        }
    }

    var mode: CipherContext.Mode {
        switch self {
        case .aes128: .paddedCBC
        case .aes256GCM: .galoisCounter
        }
    }
}
