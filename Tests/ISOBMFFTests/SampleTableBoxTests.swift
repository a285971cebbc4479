import MediaCore
import Testing

@testable import ISOBMFF

@Suite struct SampleTableBoxTests {
    @Test func tablesAreEmpty() {
        #expect(TimeToSampleBox().hex == digits("00000010 73747473 00000000 00000000"))
        #expect(SampleToChunkBox().hex == digits("00000010 73747363 00000000 00000000"))
        #expect(SampleSizeBox().hex == digits("00000014 7374737a 00000000 00000000 00000000"))
        #expect(ChunkOffsetBox().hex == digits("00000010 7374636f 00000000 00000000"))
    }

    @Test func descriptionCountsItsEntry() {
        let entry = CodecConfiguration.aac(Fixture.aac).sampleEntry(encryption: nil)
        #expect(
            SampleDescriptionBox(entry: entry).hex.hasPrefix(
                digits("0000005b 73747364 00000000 00000001 0000004b 6d703461")
            )
        )
    }
}
