import MediaCore
import Testing

@Suite struct FourCCTests {
    @Test func charactersAndCodeAreTheSameValue() {
        let code: FourCC = "moof"
        #expect(code.code == 0x6D6F_6F66)
        #expect(code == FourCC(0x6D6F_6F66))
        #expect(code.description == "moof")
    }
}
