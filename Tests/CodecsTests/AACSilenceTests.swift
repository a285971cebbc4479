import Codecs
import MediaCore
import NIOCore
import Testing

struct AACSilenceTests {
    /// FFmpeg decodes each of the first seven, behind ADTS headers, to nothing but zeros in every channel.
    @Test(arguments: [
        ("1188", "00000007"), ("1190", "21000000001c"), ("1198", "000000010800000000e0"),
        ("11a0", "00000001080000000002000007"), ("11a8", "00000001080000000023000000001c"),
        ("11b0", "00000001080000000023000000000c000000e0"),
        ("11b8", "000000010800000000230000000004a0000000018000001c"),
        // SBR and PS: silence of the core.
        ("2b118800", "21000000001c"), ("eb098800", "00000007"),
        // Channels by program_config_element(): quad.
        ("118004c4040021100d4c61766335392e33372e313030", "210000000004600000000380"),
    ])
    func everyElementIsThereWithoutASpectrum(config: String, expected: String) throws {
        let configuration = try AACConfiguration(audioSpecificConfig: [UInt8](hex: config))
        #expect(try AACSilence.frame(for: configuration).readableBytesView.hex == expected)
    }

    @Test func withoutAConfigurationThereIsNoFrame() {
        let configuration = AACConfiguration(
            audioSpecificConfig: [],
            objectType: 2,
            coreSampleRate: 48_000,
            outputSampleRate: 48_000,
            channels: 2
        )
        #expect(throws: CodecError.truncated) { try AACSilence.frame(for: configuration) }
    }
}
