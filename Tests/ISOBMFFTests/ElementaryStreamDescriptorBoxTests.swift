import MediaCore
import Testing

@testable import ISOBMFF
@testable import Inspection

@Suite struct ElementaryStreamDescriptorBoxTests {
    @Test func longConfigurationHasSizesOfTwoBytes() {
        var aac = Fixture.aac
        aac.audioSpecificConfig = [UInt8](repeating: 0xAA, count: 200)
        #expect(
            ElementaryStreamDescriptorBox(aac).hex
                == digits("000000f0 65736473 00000000 03 8161 0000 00 04 8158 40 15 000000 00000000 00000000 05 8148")
                + String(repeating: "aa", count: 200) + "060102"
        )
    }

    @Test(arguments: [
        (48_000, "6b"), (44_100, "6b"), (32_000, "6b"), (24_000, "69"), (22_050, "69"), (11_025, "69"),
    ])
    func mpegAudioIsNamedByItsStandardAndHasNoConfiguration(sampleRate: Int, objectType: String) throws {
        let audio = MPEGAudioConfiguration(layer: 3, sampleRate: sampleRate, channels: 2)
        #expect(
            ElementaryStreamDescriptorBox(audio).hex
                == digits(
                    "00000023 65736473 00000000 03 15 0000 00 04 0d \(objectType) 15 000000 00000000 00000000 060102"
                )
        )
        let section = InitializationSection(configuration: .mpegAudio(audio), timescale: UInt32(sampleRate))
        #expect(try ParsedInitialization(section.encode()).track.sampleEntry.audioSpecificConfig == nil)
    }
}
