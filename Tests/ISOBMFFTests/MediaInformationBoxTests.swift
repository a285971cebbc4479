import Testing

@testable import ISOBMFF

@Suite struct MediaInformationBoxTests {
    @Test func videoHeaderHasFlagsOne() {
        #expect(VideoMediaHeaderBox().hex == digits("00000014 766d6864 00000001 0000 0000 0000 0000"))
    }

    @Test func audioHeaderIsBalanced() {
        #expect(SoundMediaHeaderBox().hex == digits("00000010 736d6864 00000000 0000 0000"))
    }

    @Test func mediaDataAreInTheFileItself() {
        #expect(
            DataInformationBox().hex
                == digits("00000024 64696e66 0000001c 64726566 00000000 00000001 0000000c 75726c20 00000001")
        )
    }
}
