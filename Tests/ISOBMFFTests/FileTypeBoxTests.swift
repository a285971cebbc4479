import MediaCore
import Testing

@testable import ISOBMFF

@Suite struct FileTypeBoxTests {
    @Test func listsBrandsBehindMajorBrandAndVersion() {
        let box = FileTypeBox(majorBrand: "iso6", compatibleBrands: ["iso6", "cmfc"])
        #expect(box.hex == digits("00000018 66747970 69736f36 00000000 69736f36 636d6663"))
    }

    @Test func segmentTypeSaysCMAFSegment() {
        #expect(SegmentTypeBox.cmafSegment.hex == digits("00000018 73747970 6d736468 00000000 6d736468 636d6673"))
    }
}
