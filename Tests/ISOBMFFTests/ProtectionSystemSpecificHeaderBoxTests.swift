import Testing

@testable import ISOBMFF

@Suite struct ProtectionSystemSpecificHeaderBoxTests {
    @Test func commonSystemNamesTheKeyAndHasNoData() {
        let box = ProtectionSystemSpecificHeaderBox(
            systemID: ProtectionSystemSpecificHeaderBox.commonSystemID,
            keyIDs: [Fixture.keyID]
        )
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
}
