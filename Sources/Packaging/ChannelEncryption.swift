package import ContentProtection
package import MediaCore

/// The encryption of a channel's segments.
package enum ChannelEncryption: Sendable {
    case none
    /// Whole segments (METHOD=AES-128), and, if configured, initialization sections.
    case aes128(any KeySource, includesInitialization: Bool = false)
    /// The same with a key of 256 bits and a tag that shows whether a segment is whole (METHOD=AES-256-GCM).
    case aes256GCM(any KeySource, includesInitialization: Bool = false)
    /// Samples: scheme `cbcs` in fragmented MP4, Apple's own in transport streams (METHOD=SAMPLE-AES).
    case sampleAES(any KeySource, [KeySystem] = [.identity])
    /// Samples of fragmented MP4, scheme `cenc` (METHOD=SAMPLE-AES-CTR).
    case sampleAESCounterMode(any KeySource, [KeySystem] = [.identity])

    /// The source of its keys.
    package var keySource: (any KeySource)? {
        switch self {
        case .none: nil
        case .aes128(let source, _), .aes256GCM(let source, _), .sampleAES(let source, _),
            .sampleAESCounterMode(let source, _):
            source
        }
    }

    /// The key systems whose clients can decrypt, in the order in which playlists name them.
    private var keySystems: [KeySystem] {
        switch self {
        case .none: []
        case .aes128, .aes256GCM: [.identity]
        case .sampleAES(_, let systems), .sampleAESCounterMode(_, let systems): systems
        }
    }

    /// True if samples are encrypted, and not whole segments.
    package var isOfSamples: Bool {
        switch self {
        case .sampleAES, .sampleAESCounterMode: true
        case .none, .aes128, .aes256GCM: false
        }
    }

    /// The cipher of whole segments, and true if initialization sections are encrypted as well; nil if samples are,
    /// or nothing.
    var sealing: (cipher: SegmentCipher, includesInitialization: Bool)? {
        switch self {
        case .aes128(_, let includesInitialization): (.aes128, includesInitialization)
        case .aes256GCM(_, let includesInitialization): (.aes256GCM, includesInitialization)
        case .none, .sampleAES, .sampleAESCounterMode: nil
        }
    }

    var isCounterMode: Bool {
        if case .sampleAESCounterMode = self { true } else { false }
    }

    /// Returns the public part of a key, once for each key system.
    package func references(to key: PeriodKey) -> [KeyReference] {
        keySystems.map { $0.reference(to: key, scheme: isCounterMode ? "cenc" : "cbcs") }
    }
}
