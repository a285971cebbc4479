import MediaCore
import Testing

@testable import Codecs

struct AACConfigurationTests {
    @Test(arguments: [
        // LC.
        ("1190", 2, 48_000, 48_000, 2), ("1210", 2, 44_100, 44_100, 2), ("1208", 2, 44_100, 44_100, 1),
        ("11b0", 2, 48_000, 48_000, 6), ("11b8", 2, 48_000, 48_000, 8),
        // A rate that has no index: 24 bits.
        ("1780bb8110", 2, 96_002, 96_002, 2),
        // SBR and PS in hierarchical signalling.
        ("2b118800", 5, 24_000, 48_000, 2), ("eb098800", 29, 24_000, 48_000, 2),
        // SBR and PS in backward compatible signalling, and SBR said to be absent.
        ("131056e598", 5, 24_000, 48_000, 2), ("130856e59d4880", 29, 24_000, 48_000, 2),
        ("131056e500", 2, 24_000, 24_000, 2),
        // program_config_element() as FFmpeg writes it for 6.1, hexagonal and quad.
        ("118004c848002000c4400d4c61766335392e33372e313030", 2, 48_000, 48_000, 7),
        ("118004c808002008840d4c61766335392e33372e313030", 2, 48_000, 48_000, 6),
        ("118004c4040021100d4c61766335392e33372e313030", 2, 48_000, 48_000, 4),
    ])
    func readsAudioSpecificConfig(hex: String, objectType: UInt8, core: Int, output: Int, channels: Int) throws {
        let bytes = [UInt8](hex: hex)
        let configuration = try AACConfiguration(audioSpecificConfig: bytes)
        #expect(
            configuration
                == AACConfiguration(
                    audioSpecificConfig: bytes,
                    objectType: objectType,
                    coreSampleRate: core,
                    outputSampleRate: output,
                    channels: channels
                )
        )
    }

    @Test(arguments: [
        ("", CodecError.truncated), ("11", .truncated), ("1180", .truncated), ("118004", .truncated),
        ("1690", .invalid("samplingFrequencyIndex")), ("17800000", .truncated),
        ("1780000010", .invalid("samplingFrequencyIndex")), ("11c0", .invalid("channelConfiguration")),
        ("1194", .unsupported("AAC with 960 samples a frame")), ("b990", .unsupported("audio object type 23")),
        ("f94640", .unsupported("audio object type 42")),
    ])
    func whatItCannotCarryIsAnError(hex: String, error: CodecError) {
        #expect(throws: error) { try AACConfiguration(audioSpecificConfig: [UInt8](hex: hex)) }
    }

    @Test(arguments: [
        ("1310", true, false, "2b118800", 5, 48_000, 2), ("1308", true, true, "eb098800", 29, 48_000, 2),
        ("131056e598", true, false, "2b118800", 5, 48_000, 2), ("2b118800", false, false, "1310", 2, 24_000, 2),
    ])
    func signallingIsHierarchical(
        hex: String,
        sbr: Bool,
        ps: Bool,
        expected: String,
        objectType: UInt8,
        output: Int,
        channels: Int
    ) throws {
        let configuration = try AACConfiguration(audioSpecificConfig: [UInt8](hex: hex)).signalling(sbr: sbr, ps: ps)
        #expect(configuration.audioSpecificConfig.hex == expected)
        #expect(configuration.objectType == objectType)
        #expect(configuration.coreSampleRate == 24_000)
        #expect(configuration.outputSampleRate == output)
        #expect(configuration.channels == channels)
        #expect(try AACConfiguration(audioSpecificConfig: configuration.audioSpecificConfig) == configuration)
    }
}
