import MediaCore
import NIOCore
import Testing

@testable import ISOBMFF

@Suite struct ProtectionSystemSpecificHeaderBoxTests {
    @Test func commonSystemNamesTheKeyAndHasNoData() {
        let box = ProtectionSystemSpecificHeaderBox(header: .common(Fixture.keyID))
        #expect(
            box.hex
                == digits(
                    """
                    00000034 70737368 01000000 1077efecc0b24d02ace33c1e52e2fb4b
                    00000001 0123456789abcdef0123456789abcdef 00000000
                    """
                )
        )
    }

    @Test func withoutKeyIDsItIsOfVersion0() {
        let header = ProtectionSystemHeader(systemID: Fixture.keyID.bytes, data: [1, 2, 3])
        let expected = digits("00000023 70737368 00000000 0123456789abcdef0123456789abcdef 00000003 010203")
        #expect(ProtectionSystemSpecificHeaderBox(header: header).hex == expected)
        #expect(Array(buffer: header.encode()).hex == expected)
    }
}
