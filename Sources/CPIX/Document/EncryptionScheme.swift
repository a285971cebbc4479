/// The encryption scheme of a content key: one of Common Encryption (ISO/IEC 23001-7 § 10), or a METHOD of HLS (RFC
/// 8216bis § 4.4.4.4), which only CPIX 2.4 knows.
package enum EncryptionScheme: String, Hashable, Sendable, CaseIterable {
    case cenc, cbc1, cens, cbcs
    case aes128 = "AES-128"
    case aes256 = "AES-256"
    case aes256GCM = "AES-256-GCM"
    case sampleAES = "SAMPLE-AES"
    case sampleAESCounterMode = "SAMPLE-AES-CTR"
}
