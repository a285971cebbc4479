package import MediaCore

/// The audio_setup_information that the decoder of encrypted audio needs before its first frame (MPEG-2 Stream
/// Encryption Format for HTTP Live Streaming § 2.3.2).
package struct AudioSetupInformation: Hashable, Sendable {
    package enum AudioType: Hashable, Sendable, CaseIterable {
        case aacLC, heAAC, heAACv2, ac3, eac3

        /// - Returns: Nil for a code that stands for no codec.
        package init?(_ code: FourCC) {
            guard let type = Self.allCases.first(where: { $0.code == code }) else { return nil }
            self = type
        }

        var code: FourCC {
            switch self {
            case .aacLC: "zaac"
            case .heAAC: "zach"
            case .heAACv2: "zacp"
            case .ac3: "zac3"
            case .eac3: "zec3"
            }
        }
    }

    var audioType: AudioType
    /// AAC: AudioSpecificConfig; AC-3: the first 10 bytes of a syncframe; E-AC-3: the body of `dec3`.
    var setupData: [UInt8]

    package init(_ audioType: AudioType, setupData: [UInt8]) {
        self.audioType = audioType
        self.setupData = setupData
    }

    /// The most bytes that fit into a registration descriptor.
    static let maximumSetupDataByteCount = 255 - 12

    /// Requires at most ``maximumSetupDataByteCount`` bytes of data.
    var bytes: [UInt8] {
        // priming 0, version 1
        audioType.code.bytes + [0, 0, 1, UInt8(truncatingIfNeeded: setupData.count)] + setupData
    }
}

extension FourCC {
    var bytes: [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> $0) } }
}
