import MediaCore
import Testing

@testable import ISOBMFF

@Suite struct AVCConfigurationBoxTests {
    @Test(arguments: [66, 77, 88] as [UInt8])
    func lowProfilesHaveNoChromaFields(profile: UInt8) {
        let avc = AVCConfiguration(
            sequenceParameterSets: [[0x67, profile, 0, 30]],
            pictureParameterSets: [[0x68, 1], [0x68, 2]],
            profile: profile,
            compatibility: 0x40,
            level: 30,
            picture: PictureFormat(width: 320, height: 180)
        )
        let byte = String(profile, radix: 16)
        #expect(
            AVCConfigurationBox(avc).hex
                == digits("0000001d 61766343 01 \(byte) 40 1e ff e1 0004 67\(byte)001e 02 0002 6801 0002 6802")
        )
    }

    @Test func highProfilesStateChromaFormatAndBitDepths() {
        var avc = Fixture.avc
        avc.profile = 122
        avc.picture.chromaFormat = 2
        avc.picture.lumaBitDepth = 10
        avc.picture.chromaBitDepth = 9
        #expect(AVCConfigurationBox(avc).hex.hasSuffix("fefaf900"))
    }

    @Test func parameterSetsThatDoNotFitAreLeftOut() {
        var avc = Fixture.avc
        avc.sequenceParameterSets = [[UInt8](repeating: 0, count: 65_536)] + Array(repeating: [0x67], count: 40)
        avc.pictureParameterSets = Array(repeating: [0x68], count: 300)
        let box = AVCConfigurationBox(avc)
        #expect(box.byteCount == 8 + 7 + 31 * 3 + 255 * 3 + 4)
        #expect(box.hex.hasPrefix(digits("0000036d 61766343 01 64 00 1e ff ff 0001 67")))
    }
}
