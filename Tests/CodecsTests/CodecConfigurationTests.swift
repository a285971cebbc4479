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
            width: 320,
            height: 180
        )
        #expect(CodecConfiguration.avc(configuration).rfc6381 == name)
    }

    @Test(arguments: [("1190", "mp4a.40.2"), ("2b118800", "mp4a.40.5"), ("eb098800", "mp4a.40.29")])
    func audioIsNamedByObjectType(config: String, name: String) throws {
        let configuration = try AACConfiguration(audioSpecificConfig: [UInt8](hex: config))
        #expect(CodecConfiguration.aac(configuration).rfc6381 == name)
    }
}
