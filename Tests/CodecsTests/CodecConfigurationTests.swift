import Codecs
import MediaCore
import Testing

struct CodecConfigurationTests {
    @Test(arguments: [
        (0x42, 0xC0, 0x0C, "avc1.42c00c"), (0x64, 0x00, 0x1F, "avc1.64001f"), (0x4D, 0x40, 0x28, "avc1.4d4028"),
    ])
    func videoIsNamedByProfileAndLevel(profile: UInt8, compatibility: UInt8, level: UInt8, name: String) {
        let configuration = AVCConfiguration(
            sequenceParameterSets: [],
            pictureParameterSets: [],
            profile: profile,
            compatibility: compatibility,
            level: level,
            picture: PictureFormat(width: 320, height: 180)
        )
        #expect(CodecConfiguration.avc(configuration).rfc6381 == name)
    }

    @Test(arguments: [
        (0x42, 0xC0, 0x0C, "Constrained Baseline", "1.2"), (0x42, 0x10, 0x0B, "Baseline", "1b"),
        (0x64, 0x00, 0x1F, "High", "3.1"), (0x7A, 0x10, 0x29, "High 4:2:2 Intra", "4.1"),
    ])
    func profileAndLevelHaveNames(profile: UInt8, compatibility: UInt8, level: UInt8, name: String, number: String) {
        let configuration = CodecConfiguration.avc(
            AVCConfiguration(
                sequenceParameterSets: [],
                pictureParameterSets: [],
                profile: profile,
                compatibility: compatibility,
                level: level,
                picture: PictureFormat(width: 320, height: 180)
            )
        )
        #expect(configuration.profileName == name && configuration.levelName == number)
        #expect(!configuration.isInterlaced)
    }

    /// seq_level_idx 13 is 5.1 (AV1 § A.3).
    @Test func levelsOfAV1HaveNames() {
        let configuration = CodecConfiguration.av1(
            AV1Configuration(
                sequenceHeader: [],
                profile: 0,
                level: 13,
                isHighTier: true,
                picture: PictureFormat(width: 3_840, height: 2_160)
            )
        )
        #expect(configuration.profileName == "Main" && configuration.levelName == "5.1 High")
    }

    private static func wide(_ dolbyVision: DolbyVisionConfiguration?, hasHDR10Plus: Bool) -> CodecConfiguration {
        .hevc(
            HEVCConfiguration(
                videoParameterSets: [],
                sequenceParameterSets: [],
                pictureParameterSets: [],
                profileTierLevel: .init(
                    profile: 2,
                    compatibilityFlags: 0x2000_0000,
                    constraintFlags: 0xB000_0000_0000,
                    level: 153
                ),
                picture: PictureFormat(
                    width: 3_840,
                    height: 2_160,
                    dynamicRange: DynamicRangeMetadata(hasHDR10Plus: hasHDR10Plus, dolbyVision: dolbyVision)
                )
            )
        )
    }

    @Test(
        arguments: [
            (nil, false, []),
            (nil, true, ["hvc1.2.4.L153.B0/cdm4"]),
            (1, false, ["dvh1.08.07/db1p"]),
            (4, false, ["dvh1.08.07/db4h"]),
            (1, true, ["dvh1.08.07/db1p", "hvc1.2.4.L153.B0/cdm4"]),
            (6, false, []),
        ] as [(UInt8?, Bool, [String])]
    )
    func whatMoreADecoderMayFindIsSupplemental(compatibility: UInt8?, hasHDR10Plus: Bool, codecs: [String]) {
        let dolbyVision = compatibility.map { DolbyVisionConfiguration(profile: 8, level: 7, compatibilityID: $0) }
        let configuration = Self.wide(dolbyVision, hasHDR10Plus: hasHDR10Plus)
        #expect(configuration.supplementalCodecs == codecs)
        #expect(configuration.rfc6381 == "hvc1.2.4.L153.B0")
    }

    @Test func dolbyVisionWithoutABaseForOthersIsTheCodecItself() {
        let dolbyVision = DolbyVisionConfiguration(profile: 5, level: 6, compatibilityID: 0)
        let configuration = Self.wide(dolbyVision, hasHDR10Plus: false)
        #expect(configuration.rfc6381 == "dvh1.05.06")
        #expect(configuration.supplementalCodecs.isEmpty)
    }

    @Test(
        arguments: [
            // Apple's examples, and that of ISO/IEC 14496-15 § E.3.
            (0, 1, 0x6000_0000, false, 93, 0xB000_0000_0000, "hvc1.1.6.L93.B0"),
            (0, 2, 0x2000_0000, false, 153, 0xB000_0000_0000, "hvc1.2.4.L153.B0"),
            (0, 2, 0x2000_0000, true, 150, 0x9000_0000_0000, "hvc1.2.4.H150.90"),
            (1, 4, 0x8200_0000, true, 120, 0xB023_0000_0000, "hvc1.A4.41.H120.B0.23"),
            (0, 1, 0x6000_0000, false, 60, 0, "hvc1.1.6.L60"),
            (0, 3, 0x7000_0000, false, 90, 0x0000_0000_0008, "hvc1.3.E.L90.0.0.0.0.0.8"),
            (0, 4, 0x0800_0000, false, 120, 0x9D08_0000_0000, "hvc1.4.10.L120.9D.8"),
        ] as [(UInt8, UInt8, UInt32, Bool, UInt8, UInt64, String)]
    )
    func hevcIsNamedByProfileTierAndLevel(
        space: UInt8,
        profile: UInt8,
        compatibility: UInt32,
        isHighTier: Bool,
        level: UInt8,
        constraints: UInt64,
        name: String
    ) {
        let configuration = HEVCConfiguration(
            videoParameterSets: [],
            sequenceParameterSets: [],
            pictureParameterSets: [],
            profileTierLevel: HEVCConfiguration.ProfileTierLevel(
                profileSpace: space,
                isHighTier: isHighTier,
                profile: profile,
                compatibilityFlags: compatibility,
                constraintFlags: constraints,
                level: level
            ),
            picture: PictureFormat(width: 320, height: 180)
        )
        #expect(CodecConfiguration.hevc(configuration).rfc6381 == name)
    }

    @Test(arguments: [("1190", "mp4a.40.2"), ("2b118800", "mp4a.40.5"), ("eb098800", "mp4a.40.29")])
    func audioIsNamedByObjectType(config: String, name: String) throws {
        let configuration = try AACConfiguration(audioSpecificConfig: [UInt8](hex: config))
        #expect(CodecConfiguration.aac(configuration).rfc6381 == name)
    }
}
