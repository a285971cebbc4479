import MediaCore
import Testing

@testable import ISOBMFF

@Suite struct AACSampleEntryTests {
    private static let fields = "000000000000 0001 0000000000000000 0002 0010 0000 0000 bb800000"
    private static let esds = """
        00000027 65736473 00000000 03 19 0000 00 04 11 40 15 000000 00000000 00000000 05 02 1190 06 01 02
        """

    @Test func clearEntryDescribesSoundAndDecoder() {
        #expect(
            AACSampleEntry(Fixture.aac, encryption: nil).hex == digits("0000004b 6d703461 \(Self.fields) \(Self.esds)")
        )
    }

    @Test func protectedEntryIsCalledEncaAndEndsWithProtection() {
        let sinf = ProtectionSchemeInformationBox(originalFormat: "mp4a", encryption: Fixture.audioEncryption)
        #expect(
            AACSampleEntry(Fixture.aac, encryption: Fixture.audioEncryption).hex
                == digits("000000ac 656e6361 \(Self.fields) \(Self.esds)") + sinf.hex
        )
    }

    @Test func rateAbove16BitsIsLeftToTheDecoder() {
        var aac = Fixture.aac
        aac.outputSampleRate = 96_000
        #expect(AACSampleEntry(aac, encryption: nil).sampleRate == 0)
    }

    @Test func longConfigurationHasSizesOfTwoBytes() {
        let config = [UInt8](repeating: 0xAA, count: 200)
        #expect(
            ElementaryStreamDescriptorBox(audioSpecificConfig: config).hex
                == digits("000000f0 65736473 00000000 03 8161 0000 00 04 8158 40 15 000000 00000000 00000000 05 8148")
                + String(repeating: "aa", count: 200) + "060102"
        )
    }
}
