package import ContentProtection

/// How a channel's segments are encrypted.
package enum ChannelEncryption: Sendable {
    case none
    /// Whole segments (METHOD=AES-128).
    case aes128(KeySchedule)
    /// Samples, scheme `cbcs` (METHOD=SAMPLE-AES).
    case sampleAES(KeySchedule)

    package var schedule: KeySchedule? {
        switch self {
        case .none: nil
        case .aes128(let schedule), .sampleAES(let schedule): schedule
        }
    }
}
