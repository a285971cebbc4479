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

    /// The identifier in `pssh` boxes and documents of CPIX (DASH-IF, "Content Protection" identifiers); for identity
    /// keys, the one that key servers use, because SPEKE leaves it to implementations.
    package var systemID: Bytes16 {
        switch self {
        case .fairplay: Bytes16(high: 0x94CE_86FB_07FF_4F43, low: 0xADB8_93D2_FA96_8CA2)
        case .widevine: Bytes16(high: 0xEDEF_8BA9_79D6_4ACE, low: 0xA3C8_27DC_D51D_21ED)
        case .playready: Bytes16(high: 0x9A04_F079_9840_4286, low: 0xAB92_E65B_E088_5F95)
        case .clearkey: Bytes16(high: 0xE271_9D58_A985_B3C9, low: 0x781A_B030_AF78_D30E)
        case .identity: Bytes16(high: 0x8137_6844_F976_481E, low: 0xA84E_CC25_D39B_0B33)
        }
    }

    /// True if its licences come from a server outside this packager, which may want other signalling.
    package var hasLicenceServer: Bool {
        switch self {
        case .fairplay, .widevine, .playready: true
        case .clearkey, .identity: false
        }
    }

    /// True if EXT-X-KEY says the initialization vector: of others the licence or `tenc` does, and Apple's authoring
    /// specification § 13.4 wants none there.
    package var needsVector: Bool { self == .identity }

    /// Returns the system's header for a key in an initialization section.
    ///
    /// - Parameters:
    ///   - key: The section's.
    ///   - scheme: `cbcs` or `cenc`.
    /// - Returns: Nil if it goes by EXT-X-KEY alone.
    package func header(of key: PeriodKey, scheme: FourCC) -> ProtectionSystemHeader? {
        switch self {
        case .fairplay: nil
        case .widevine: WidevineHeader(key: key, scheme: scheme).header
        case .playready: PlayReadyHeader(keyID: key.keyID, scheme: scheme).header
        case .clearkey, .identity: .common(key.keyID)
        }
    }
}
