package import ContentProtection

/// How a channel's segments are encrypted.
package enum ChannelEncryption: Sendable {
    case none
    /// Whole segments (METHOD=AES-128), and on request initialization sections as well.
    case aes128(any KeySource, includesInitialization: Bool = false)
    /// Samples: scheme `cbcs` in fragmented MP4, Apple's own in transport streams (METHOD=SAMPLE-AES).
    case sampleAES(any KeySource)
    /// Samples of fragmented MP4, scheme `cenc` (METHOD=SAMPLE-AES-CTR).
    case sampleAESCounterMode(any KeySource)

    /// Where its keys come from.
    package var keySource: (any KeySource)? {
        switch self {
        case .none: nil
        case .aes128(let source, _), .sampleAES(let source), .sampleAESCounterMode(let source): source
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
