import MediaCore
import Testing

@testable import ISOBMFF
@testable import Inspection

@Suite struct VisualSampleEntryTests {
    private static let fields = """
        000000000000 0001 0000 0000 00000000 00000000 00000000 0280 0168 00480000 00480000 00000000 0001
        0000000000000000 0000000000000000 0000000000000000 0000000000000000 0018 ffff
        """
    private static let avcC = """
        0000003b 61766343 01 64 00 1e ff e1
        001e 6764001eacd940a02ff97016a02020280000030008000003019078b16cb0 01 0006 68ebe3cb22c0 fd f8 f8 00
        """
    private static let colr = "00000013 636f6c72 6e636c78 0001 0001 0001 00"
    private static let pasp = "00000010 70617370 00000001 00000001"

    @Test func clearEntryDescribesPictureAndDecoder() {
        #expect(
            CodecConfiguration.avc(Fixture.avc).sampleEntryHex()
                == digits("000000b4 61766331 \(Self.fields) \(Self.avcC) \(Self.colr) \(Self.pasp)")
        )
    }

    @Test func protectedEntryIsCalledEncvAndEndsWithProtection() {
        let sinf = ProtectionSchemeInformationBox(originalFormat: "avc1", encryption: Fixture.videoEncryption)
        #expect(
            CodecConfiguration.avc(Fixture.avc).sampleEntryHex(encryption: Fixture.videoEncryption)
                == digits("00000115 656e6376 \(Self.fields) \(Self.avcC) \(Self.colr) \(Self.pasp)") + sinf.hex
        )
    }

    @Test func whatScreensMustKnowFollowsTheCodec() {
        var hevc = Fixture.hevc
        hevc.picture.colour = ColourDescription(primaries: 9, transfer: 16, matrix: 9, isFullRange: false)
        hevc.picture.dynamicRange = DynamicRangeMetadata(
            masteringDisplay: Array(repeating: 1, count: 24),
            contentLight: [0x03, 0xE8, 0x01, 0x90],
            dolbyVision: DolbyVisionConfiguration(profile: 8, level: 6, compatibilityID: 1)
        )
        #expect(
            BoxDump(CodecConfiguration.hevc(hevc).sampleEntry(encryption: nil)).description == """
                hvc1 size=251 data_reference_index=1 width=3840 height=2160
                  hvcC size=54 configurationVersion=1 profile_space=0 tier_flag=0 profile_idc=2 \
                profile_compatibility_flags=20000000 constraint_indicator_flags=b00000000000 level_idc=150 reserved=15 \
                min_spatial_segmentation_idc=0 reserved=63 parallelismType=0 reserved=63 chroma_format_idc=1 reserved=31 \
                bit_depth_luma_minus8=2 reserved=31 bit_depth_chroma_minus8=2 avgFrameRate=0 constantFrameRate=0 \
                numTemporalLayers=1 temporalIdNested=1 lengthSizeMinusOne=3
                    - array_completeness=1 NAL_unit_type=32 nalUnit=40010c
                    - array_completeness=1 NAL_unit_type=33 nalUnit=420101
                    - array_completeness=1 NAL_unit_type=34 nalUnit=4401
                  colr size=19 colour_type=nclx colour_primaries=9 transfer_characteristics=16 matrix_coefficients=9 \
                full_range_flag=00
                  pasp size=16 hSpacing=1 vSpacing=1
                  mdcv size=32 green_x=257 green_y=257 blue_x=257 blue_y=257 red_x=257 red_y=257 white_point_x=257 \
                white_point_y=257 max_display_mastering_luminance=16843009 min_display_mastering_luminance=16843009
                  clli size=12 max_content_light_level=1000 max_pic_average_light_level=400
                  dvvC size=32 dv_version_major=1 dv_version_minor=0 dv_profile=8 dv_level=6 rpu_present_flag=1 \
                el_present_flag=0 bl_present_flag=1 dv_bl_signal_compatibility_id=1 reserved=0 \
                reserved=00000000000000000000000000000000

                """
        )
    }

    @Test(
        arguments: [
            (nil, nil, "hvc1", "av01", ""), (5, 0, "dvh1", "dav1", "dvcC"), (8, 1, "hvc1", "av01", "dvvC"),
            (8, 4, "hvc1", "av01", "dvvC"), (10, 0, "dvh1", "dav1", "dvvC"), (7, 6, "hvc1", "av01", "dvcC"),
        ] as [(UInt8?, UInt8?, FourCC, FourCC, String)]
    )
    func onlyDolbyVisionThatOthersWouldShowWronglyIsKeptFromThem(
        profile: UInt8?,
        compatibilityID: UInt8?,
        hevcType: FourCC,
        av1Type: FourCC,
        box: String
    ) throws {
        var (hevc, av1) = (Fixture.hevc, Fixture.av1)
        if let profile, let compatibilityID {
            let configuration = DolbyVisionConfiguration(profile: profile, level: 1, compatibilityID: compatibilityID)
            hevc.picture.dynamicRange.dolbyVision = configuration
            av1.picture.dynamicRange.dolbyVision = configuration
        }
        for (configuration, type) in [(CodecConfiguration.hevc(hevc), hevcType), (.av1(av1), av1Type)] {
            let section = InitializationSection(configuration: configuration, timescale: 90_000).encode()
            let parsed = try ParsedInitialization(section)
            #expect(parsed.track.sampleEntry.type == type)
            #expect(
                parsed.track.sampleEntry.extensions.keys.map(\.description).filter { $0.hasPrefix("dv") }
                    == (box.isEmpty ? [] : [box])
            )
            #expect(parsed.compatibleBrands.contains("dby1") == !box.isEmpty)
            #expect(parsed.compatibleBrands.contains("av01") == (configuration == .av1(av1)))
        }
    }

    @Test func metadataOfAnotherLengthIsLeftOut() {
        var hevc = Fixture.hevc
        hevc.picture.dynamicRange = DynamicRangeMetadata(masteringDisplay: [1], contentLight: [1, 2, 3, 4, 5])
        #expect(
            CodecConfiguration.hevc(hevc).sampleEntryHex() == CodecConfiguration.hevc(Fixture.hevc).sampleEntryHex()
        )
    }

    @Test(
        arguments: [
            (CodecConfiguration.hevc(Fixture.hevc), "hvc1"), (.av1(Fixture.av1), "av01"),
        ] as [(CodecConfiguration, FourCC)]
    )
    func protectedEntryKeepsTheCodecsBox(configuration: CodecConfiguration, format: FourCC) throws {
        let clear = InitializationSection(configuration: configuration, timescale: 90_000)
        var protected = clear
        protected.encryption = Fixture.counterEncryption
        let (clearEntry, entry) = (
            try ParsedInitialization(clear.encode()).track.sampleEntry,
            try ParsedInitialization(protected.encode()).track.sampleEntry
        )
        #expect((entry.type, entry.originalFormat) == ("encv", format))
        #expect(entry.extensions.filter { $0.key != "sinf" } == clearEntry.extensions)
    }
}
