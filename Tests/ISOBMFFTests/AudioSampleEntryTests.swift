import MediaCore
import Testing

@testable import ISOBMFF
@testable import Inspection

@Suite struct AudioSampleEntryTests {
    private static let fields = "000000000000 0001 0000000000000000 0002 0010 0000 0000 bb800000"
    private static let esds = """
        00000027 65736473 00000000 03 19 0000 00 04 11 40 15 000000 00000000 00000000 05 02 1190 06 01 02
        """

    @Test func clearEntryDescribesAudioAndDecoder() {
        #expect(
            CodecConfiguration.aac(Fixture.aac).sampleEntryHex()
                == digits("0000004b 6d703461 \(Self.fields) \(Self.esds)")
        )
    }

    @Test func protectedEntryIsCalledEncaAndEndsWithProtection() {
        let sinf = ProtectionSchemeInformationBox(originalFormat: "mp4a", encryption: Fixture.audioEncryption)
        #expect(
            CodecConfiguration.aac(Fixture.aac).sampleEntryHex(encryption: Fixture.audioEncryption)
                == digits("000000ac 656e6361 \(Self.fields) \(Self.esds)") + sinf.hex
        )
    }

    @Test(arguments: [
        // Type, channels, bits, Hz, and the box that follows.
        (CodecConfiguration.ac3(Fixture.ac3), "61632d33 0006 0010 bb80 0000000b 64616333"),
        (.eac3(Fixture.eac3), "65632d33 0006 0010 bb80 0000000d 64656333"),
        (.opus(Fixture.opus), "4f707573 0002 0010 bb80 00000013 644f7073"),
        (.flac(Fixture.flac), "664c6143 0002 0018 ac44 00000032 64664c61"),
        (.alac(Fixture.alac), "616c6163 0002 0018 ac44 00000024 616c6163"),
        (
            .mpegAudio(MPEGAudioConfiguration(layer: 3, sampleRate: 24_000, channels: 1)),
            "6d703461 0001 0010 5dc0 00000023 65736473"
        ),
    ])
    func everyCodecHasItsEntry(configuration: CodecConfiguration, expected: String) {
        let hex = configuration.sampleEntryHex()
        #expect(hex.hasPrefix(Self.digitsOfSize(hex.utf8.count / 2)))
        let found = hex.dropFirst(8).prefix(8) + hex.dropFirst(48).prefix(8) + hex.dropFirst(64).prefix(4)
        #expect(found + hex.dropFirst(72).prefix(16) == digits(expected))
    }

    private static func digitsOfSize(_ byteCount: Int) -> String {
        String(0x1_0000_0000 + byteCount, radix: 16).dropFirst().description
    }

    @Test func rateAbove16BitsIsLeftToTheDecoder() throws {
        var (aac, alac) = (Fixture.aac, Fixture.alac)
        aac.outputSampleRate = 96_000
        alac.sampleRate = 96_000
        for configuration in [CodecConfiguration.aac(aac), .alac(alac)] {
            let section = InitializationSection(configuration: configuration, timescale: 96_000)
            #expect(try ParsedInitialization(section.encode()).track.sampleEntry.sampleRate == 0)
        }
    }

    @Test(arguments: [
        (48_000, 48_000), (65_535, 65_535), (88_200, 44_100), (96_000, 48_000), (192_000, 48_000), (384_000, 48_000),
        (176_400, 44_100), (99_999, 65_535), (0, 0),
    ])
    func rateOfFLACIsHalvedUntil16BitsCanSayIt(rate: Int, expected: Int) throws {
        var flac = Fixture.flac
        flac.sampleRate = rate
        let section = InitializationSection(configuration: .flac(flac), timescale: 90_000)
        #expect(try ParsedInitialization(section.encode()).track.sampleEntry.sampleRate == expected)
    }
}
