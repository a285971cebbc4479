import MediaCore
import Testing

@testable import ISOBMFF

@Suite struct PictureFormatBoxesTests {
    @Test func fullRangeIsTheTopBit() {
        let colour = ColourDescription(primaries: 9, transfer: 16, matrix: 9, isFullRange: true)
        #expect(ColourInformationBox(colour: colour).hex == digits("00000013 636f6c72 6e636c78 0009 0010 0009 80"))
    }

    @Test func masteringDisplayAndLightLevelsAreAsTheMessagesHaveThem() {
        let volume = "33c2 86c4 1d4c 0bb8 84d0 3e80 3d13 4042 00989680 00000001"
        #expect(
            MasteringDisplayColourVolumeBox(bytes(volume))?.hex == digits("00000020 6d646376 \(volume)")
        )
        #expect(ContentLightLevelBox(bytes("03e8 0190"))?.hex == digits("0000000c 636c6c69 03e8 0190"))
    }

    @Test(arguments: [
        (DolbyVisionConfiguration(profile: 5, level: 6, compatibilityID: 0), "64766343 0100 0a35 00000000"),
        (DolbyVisionConfiguration(profile: 8, level: 9, compatibilityID: 1), "64767643 0100 104d 10000000"),
        (
            DolbyVisionConfiguration(
                versionMinor: 3,
                profile: 7,
                level: 33,
                hasReferenceProcessingUnit: false,
                hasEnhancementLayer: true,
                hasBaseLayer: false,
                compatibilityID: 6
            ),
            "64766343 0103 0f0a 60000000"
        ),
    ])
    func dolbyVisionIsNamedByItsProfile(configuration: DolbyVisionConfiguration, hex: String) {
        #expect(
            DolbyVisionConfigurationBox(configuration: configuration).hex
                == digits("00000020 \(hex) 00000000 00000000 00000000 00000000")
        )
    }
}
