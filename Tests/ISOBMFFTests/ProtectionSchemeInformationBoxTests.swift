import MediaCore
import Testing

@testable import ISOBMFF

@Suite struct ProtectionSchemeInformationBoxTests {
    @Test(arguments: [(Fixture.videoEncryption, "19"), (Fixture.audioEncryption, "00")])
    func saysSchemePatternKeyAndConstantIV(encryption: TrackEncryption, pattern: String) {
        #expect(
            ProtectionSchemeInformationBox(originalFormat: "avc1", encryption: encryption).hex
                == digits(
                    """
                    00000061 73696e66
                    0000000c 66726d61 61766331
                    00000014 7363686d 00000000 63626373 00010000
                    00000039 73636869
                    00000031 74656e63 01000000 00 \(pattern) 01 00 0123456789abcdef0123456789abcdef
                    10 000102030405060708090a0b0c0d0e0f
                    """
                )
        )
    }

    @Test func counterModeSaysThatEverySampleHasAnInitializationVector() {
        #expect(
            ProtectionSchemeInformationBox(originalFormat: "hvc1", encryption: Fixture.counterEncryption).hex
                == digits(
                    """
                    00000050 73696e66
                    0000000c 66726d61 68766331
                    00000014 7363686d 00000000 63656e63 00010000
                    00000028 73636869
                    00000020 74656e63 00000000 00 00 01 10 0123456789abcdef0123456789abcdef
                    """
                )
        )
    }
}
