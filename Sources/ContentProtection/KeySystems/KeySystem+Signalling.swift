package import MediaCore

extension KeySystem {
    /// KEYFORMAT; nil is `identity`, which need not be said.
    package var keyFormat: String? {
        switch self {
        case .fairplay: "com.apple.streamingkeydelivery"
        case .widevine: "urn:uuid:edef8ba9-79d6-4ace-a3c8-27dcd51d21ed"
        case .playready: "com.microsoft.playready"
        case .clearkey: "org.w3.clearkey"
        case .identity: nil
        }
    }

    /// KEYFORMATVERSIONS; nil is "1", which need not be said.
    package var keyFormatVersions: String? { self == .identity ? nil : "1" }

    /// Whether EXT-X-KEY says the initialization vector: of others the licence or `tenc` does, and Apple's authoring
    /// specification § 13.4 wants none there.
    package var needsVector: Bool { self == .identity }

    /// What an initialization section says to it of a key.
    ///
    /// - Parameters:
    ///   - key: The section's.
    ///   - scheme: `cbcs` or `cenc`.
    /// - Returns: Nil where it goes by EXT-X-KEY alone.
    package func header(of key: PeriodKey, scheme: FourCC) -> ProtectionSystemHeader? {
        switch self {
        case .fairplay: nil
        case .widevine: WidevineHeader(key: key, scheme: scheme).header
        case .playready: PlayReadyHeader(keyID: key.keyID, scheme: scheme).header
        case .clearkey, .identity: .common(key.keyID)
        }
    }
}
