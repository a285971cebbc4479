import MediaCore
import Testing

@testable import ISOBMFF

@Suite struct HEVCConfigurationBoxTests {
    @Test func parameterSetsAreListedByTypeAsComplete() {
        #expect(
            HEVCConfigurationBox(Fixture.hevc).hex
                == digits(
                    """
                    00000036 68766343 01 02 20000000 b00000000000 96 f000 fc fd fa fa 0000 0f 03
                    a0 0001 0003 40010c a1 0001 0003 420101 a2 0001 0002 4401
                    """
                )
        )
    }

    @Test func everyFieldIsInItsBits() {
        let hevc = HEVCConfiguration(
            videoParameterSets: [],
            sequenceParameterSets: [[0x42, 1], [0x42, 2]],
            pictureParameterSets: [[0x44]],
            profileTierLevel: HEVCConfiguration.ProfileTierLevel(
                profileSpace: 1,
                isHighTier: true,
                profile: 4,
                compatibilityFlags: 0x0800_0001,
                constraintFlags: 0x8123_4567_89AB,
                level: 153
            ),
            minimumSpatialSegmentation: 0x123,
            temporalLayers: 3,
            isTemporalIDNested: false,
            picture: PictureFormat(width: 1, height: 1, chromaFormat: 2, lumaBitDepth: 12, chromaBitDepth: 10)
        )
        #expect(
            HEVCConfigurationBox(hevc).hex
                == digits(
                    """
                    00000030 68766343 01 64 08000001 8123456789ab 99 f123 fc fe fc fa 0000 1b 02
                    a1 0002 0002 4201 0002 4202 a2 0001 0001 44
                    """
                )
        )
    }

    @Test func parameterSetsThatDoNotFitAreLeftOut() {
        var hevc = Fixture.hevc
        hevc.videoParameterSets = [[UInt8](repeating: 0, count: 65_536)]
        hevc.pictureParameterSets += Array(repeating: [0x44], count: 70_000)
        let box = HEVCConfigurationBox(hevc)
        #expect(box.byteCount == 8 + 23 + 3 + 2 + 3 + 3 + 2 + 2 + 65_534 * 3)
        #expect(box.hex.contains(digits("02 a1 0001 0003 420101 a2 ffff 0002 4401 0001 44")))
    }
}
