package import ContentProtection

/// How a channel's segments are encrypted.
package enum ChannelEncryption: Sendable {
    case none
    /// Whole segments (METHOD=AES-128), and on request initialization sections as well.
    case aes128(KeySchedule, includesInitialization: Bool = false)
    /// Samples: scheme `cbcs` in fragmented MP4, Apple's own in transport streams (METHOD=SAMPLE-AES).
    case sampleAES(KeySchedule)
    /// Samples of fragmented MP4, scheme `cenc` (METHOD=SAMPLE-AES-CTR).
    case sampleAESCounterMode(KeySchedule)

    package var schedule: KeySchedule? {
        switch self {
        case .none: nil
        case .aes128(let schedule, _), .sampleAES(let schedule), .sampleAESCounterMode(let schedule): schedule
        }
    }

    /// Whether samples are encrypted, and not whole segments.
    package var isOfSamples: Bool {
        switch self {
        case .sampleAES, .sampleAESCounterMode: true
        case .none, .aes128: false
        }
    }
}
