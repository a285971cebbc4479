import Codecs
import MediaCore
import TestSupport
import Testing

struct AnnexBPrefixTests {
    @Test func avcHasDelimiterAndParameterSets() {
        let configuration = AVCConfiguration(
            sequenceParameterSets: [[0x67, 1], [0x67, 2]],
            pictureParameterSets: [[0x68, 3]],
            profile: 0,
            compatibility: 0,
            level: 0,
            picture: PictureFormat(width: 16, height: 16)
        )
        #expect(configuration.annexBPrefix(isSync: false) == [UInt8](hex: "00000001 09f0"))
        let sync = [UInt8](hex: "00000001 09f0 00000001 6701 00000001 6702 00000001 6803")
        #expect(configuration.annexBPrefix(isSync: true) == sync)
    }

    @Test func hevcHasDelimiterAndParameterSets() {
        let configuration = HEVCConfiguration(
            videoParameterSets: [[0x40, 1]],
            sequenceParameterSets: [[0x42, 1]],
            pictureParameterSets: [[0x44, 1], [0x44, 2]],
            profileTierLevel: .init(profile: 1, compatibilityFlags: 0, constraintFlags: 0, level: 0),
            picture: PictureFormat(width: 16, height: 16)
        )
        #expect(configuration.annexBPrefix(isSync: false) == [UInt8](hex: "00000001 460150"))
        let sync = [UInt8](hex: "00000001 460150 00000001 4001 00000001 4201 00000001 4401 00000001 4402")
        #expect(configuration.annexBPrefix(isSync: true) == sync)
    }
}
