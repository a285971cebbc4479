/// The encryption of segments (RFC 8216bis § 4.4.4.4).
package enum EncryptionMethod: String, Hashable, Sendable, CaseIterable {
    case none
    /// METHOD=AES-128: whole segments.
    case aes128 = "aes-128"
    /// METHOD=AES-256-GCM: whole segments, with a tag each.
    case aes256GCM = "aes-256-gcm"
    /// METHOD=SAMPLE-AES: scheme `cbcs` in fragmented MP4, Apple's own in transport streams.
    case sampleAES = "sample-aes"
    /// METHOD=SAMPLE-AES-CTR: scheme `cenc` in fragmented MP4, for players that have no `cbcs`.
    case sampleAESCounterMode = "sample-aes-ctr"
}
