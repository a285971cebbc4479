package import MediaCore

/// A key for segments: the attributes of EXT-X-KEY and EXT-X-SESSION-KEY (RFC 8216bis § 4.4.4.4, 4.4.6.5).
///
/// METHOD=NONE is the absence of keys.
package struct EncryptionKey: Hashable, Sendable {
    package var method: Method
    package var uri: String
    /// IV; nil if each segment (`AES-128`: its media sequence number, RFC 8216bis § 5.2) or sample has its own.
    package var initializationVector: Bytes16?
    /// KEYFORMAT; nil is `identity`: the resource at the URI is the key itself.
    package var keyFormat: String?
    /// Versions separated by `/`; nil is "1".
    package var keyFormatVersions: String?

    package enum Method: String, Hashable, Sendable {
        /// Whole segments, CBC with PKCS#7 padding.
        case aes128 = "AES-128"
        /// Whole segments; each begins with its initialization vector and ends with an authentication tag.
        case aes256GCM = "AES-256-GCM"
        /// Samples; in fMP4, scheme `cbcs`.
        case sampleAES = "SAMPLE-AES"
        /// Samples of fMP4, scheme `cenc`; not for Apple's players (Apple's authoring specification § 13.11).
        case sampleAESCounterMode = "SAMPLE-AES-CTR"

        /// True if whole resources are encrypted.
        package var isOfSegments: Bool { self == .aes128 || self == .aes256GCM }
    }

    /// ``keyFormat`` with its default: one key of each applies at a time (RFC 8216bis § 4.4.4.4).
    package var effectiveKeyFormat: String { keyFormat ?? "identity" }

    /// The lowest protocol version whose features cover it (RFC 8216bis § 8): 5 if it has more than whole segments and
    /// an identity key, 2 if it has an initialization vector.
    var version: Int {
        if !method.isOfSegments || keyFormat != nil || keyFormatVersions != nil { return 5 }
        return initializationVector == nil ? 1 : 2
    }

    package init(
        method: Method,
        uri: String,
        initializationVector: Bytes16? = nil,
        keyFormat: String? = nil,
        keyFormatVersions: String? = nil
    ) {
        self.method = method
        self.uri = uri
        self.initializationVector = initializationVector
        self.keyFormat = keyFormat
        self.keyFormatVersions = keyFormatVersions
    }
}

extension [EncryptionKey] {
    /// The key whose URI has the key itself; nil if there is none.
    package var identity: EncryptionKey? { first { $0.effectiveKeyFormat == "identity" } }
}
