/// The meaning of the value of a TLLV: an open set, with names for those that are read or written here.
package struct TLLVTag: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) {
        self.rawValue = rawValue
    }
}

/// The tags in SPCs.
extension TLLVTag {
    package static let sessionKeyR1 = Self(rawValue: 0x3d1a_10b8_bffa_c2ec)
    package static let integrity = Self(rawValue: 0xb349_d480_9e91_0687)
    package static let antiReplaySeed = Self(rawValue: 0x89c9_0f12_2041_06b2)
    package static let r2 = Self(rawValue: 0x71b5_595a_c152_1133)
    package static let returnRequest = Self(rawValue: 0x19f9_d4e5_ab76_09cb)
    package static let assetID = Self(rawValue: 0x1bf7_f53f_5d5d_5a1f)
    package static let transactionID = Self(rawValue: 0x47aa_7ad3_4405_77de)
    package static let protocolVersionsSupported = Self(rawValue: 0x67b8_fb79_ecce_1a13)
    package static let protocolVersionUsed = Self(rawValue: 0x5d81_bcbc_c7f6_1703)
    package static let streamingIndicator = Self(rawValue: 0xabb0_256a_3184_3974)
    package static let mediaPlaybackState = Self(rawValue: 0xeb8e_fdf2_b25a_b3a0)
    package static let capabilities = Self(rawValue: 0x9c02_af32_53c0_7fb2)
    package static let offlineSync = Self(rawValue: 0x7796_6de1_dc10_83ad)
    package static let securityLevelReport = Self(rawValue: 0xb18e_e16e_a50f_6c02)
    static let keyFormats = Self(rawValue: 0x8d8e_84fa_6cc3_5eb7)
    package static let videoSessionKeyR1 = Self(rawValue: 0x697a_f621_3858_562f)
    package static let videoR2 = Self(rawValue: 0xdb30_b89d_cb58_34b3)

    /// The tags without which there is no CKC, whichever the version of the SPC.
    static let required: [Self] = [
        .sessionKeyR1, .integrity, .antiReplaySeed, .r2, .returnRequest, .assetID, .transactionID,
        .protocolVersionsSupported, .protocolVersionUsed,
    ]

    /// Returns true if a value can have so many bytes; those of tags that are not read here can have any.
    func permits(_ count: Int) -> Bool {
        switch self {
        case .sessionKeyR1: count == 112
        case .integrity, .antiReplaySeed, .mediaPlaybackState, .capabilities: count == 16
        case .r2: count == 21
        case .transactionID, .streamingIndicator: count == 8
        case .protocolVersionUsed: count == 4
        case .protocolVersionsSupported: count > 0 && count.isMultiple(of: 4)
        case .returnRequest, .keyFormats: count.isMultiple(of: 8)
        case .assetID: (2...200).contains(count)
        case .videoSessionKeyR1: count <= 256
        case .videoR2: count <= 64
        default: true
        }
    }
}

/// The tags in CKCs.
extension TLLVTag {
    package static let encryptedContentKey = Self(rawValue: 0x58b3_8165_af0e_3d5a)
    package static let r1 = Self(rawValue: 0xea74_c464_5d5e_fee9)
    package static let keyDuration = Self(rawValue: 0x47ac_f6a4_18cd_091a)
    package static let hdcp = Self(rawValue: 0x2e52_f153_0d8d_db4a)
    package static let offlineKey = Self(rawValue: 0x6375_d972_7060_218c)
    package static let securityLevel = Self(rawValue: 0x644c_b1da_c031_3250)
    package static let sessionKeyUsed = Self(rawValue: 0x42ca_089e_8e9f_a924)

    /// The tags that a key security module sends: a device that has one echoed would set its own terms.
    static let ofServers: Set<Self> = [
        .encryptedContentKey, .r1, .keyDuration, .hdcp, .offlineKey, .securityLevel, .sessionKeyUsed,
    ]
}

extension TLLVTag: CustomStringConvertible {
    package var description: String { Self.names[self] ?? String(rawValue, radix: 16) }

    private static let names: [Self: String] = [
        .sessionKeyR1: "[SK…R1]", .integrity: "[SK…R1] integrity", .antiReplaySeed: "anti-replay seed", .r2: "R2",
        .returnRequest: "return request", .assetID: "asset ID", .transactionID: "transaction ID",
        .protocolVersionsSupported: "protocol versions supported", .protocolVersionUsed: "protocol version used",
        .streamingIndicator: "streaming indicator", .mediaPlaybackState: "media playback state",
        .capabilities: "capabilities", .offlineSync: "offline sync", .securityLevelReport: "security level report",
        .keyFormats: "key formats", .videoSessionKeyR1: "video [SK…R1]", .videoR2: "video R2",
        .encryptedContentKey: "encrypted content key", .r1: "R1", .keyDuration: "content key duration",
        .hdcp: "HDCP enforcement", .offlineKey: "offline key", .securityLevel: "security level",
        .sessionKeyUsed: "session key used",
    ]
}
