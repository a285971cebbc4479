import MediaCore
import Testing

@testable import ISOBMFF

@Suite struct AVCSampleEntryTests {
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
            AVCSampleEntry(Fixture.avc, encryption: nil).hex
                == digits("000000b4 61766331 \(Self.fields) \(Self.avcC) \(Self.colr) \(Self.pasp)")
        )
    }

    @Test func protectedEntryIsCalledEncvAndEndsWithProtection() {
        let sinf = ProtectionSchemeInformationBox(originalFormat: "avc1", encryption: Fixture.videoEncryption)
        #expect(
            AVCSampleEntry(Fixture.avc, encryption: Fixture.videoEncryption).hex
                == digits("00000115 656e6376 \(Self.fields) \(Self.avcC) \(Self.colr) \(Self.pasp)") + sinf.hex
        )
    }

    @Test(arguments: [66, 77, 88] as [UInt8])
    func lowProfilesHaveNoChromaFields(profile: UInt8) {
        let avc = AVCConfiguration(
            sequenceParameterSets: [[0x67, profile, 0, 30]],
            pictureParameterSets: [[0x68, 1], [0x68, 2]],
            profile: profile,
            compatibility: 0x40,
            level: 30,
            width: 320,
            height: 180
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
        avc.chromaFormat = 2
        avc.lumaBitDepth = 10
        avc.chromaBitDepth = 9
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

    @Test func fullRangeIsTheTopBit() {
        let colour = ColourDescription(primaries: 9, transfer: 16, matrix: 9, isFullRange: true)
        #expect(ColourInformationBox(colour: colour).hex == digits("00000013 636f6c72 6e636c78 0009 0010 0009 80"))
    }
}
