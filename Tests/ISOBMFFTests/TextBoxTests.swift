import MediaCore
import Testing

@testable import ISOBMFF

/// Boxes of text, and of what is not shown itself.
@Suite struct TextBoxTests {
    @Test func entriesNameTheFormat() {
        #expect(
            CodecConfiguration.text(.webVTT).sampleEntryHex()
                == digits("0000001e 77767474 000000000000 0001 0000000e 76747443 574542565454")
        )
        let namespace = "687474703a2f2f7777772e77332e6f72672f6e732f74746d6c"
        #expect(
            CodecConfiguration.text(.imsc1).sampleEntryHex()
                == digits("0000002c 73747070 000000000000 0001 \(namespace) 00 00 00")
        )
    }

    @Test(arguments: [
        (MediaKind.text(.webVTT), "0000002c", "74657874", "5465787448616e646c6572"),
        (.text(.imsc1), "0000002c", "73756274", "5465787448616e646c6572"),
    ])
    func handlerNamesTheKindOfTrack(kind: MediaKind, size: String, type: String, name: String) {
        #expect(
            HandlerBox(kind: kind).hex
                == digits("\(size) 68646c72 00000000 00000000 \(type) 00000000 00000000 00000000 \(name) 00")
        )
    }

    @Test func mediaHeadersSayNothing() {
        #expect(SubtitleMediaHeaderBox().hex == digits("0000000c 73746864 00000000"))
        #expect(NullMediaHeaderBox().hex == digits("0000000c 6e6d6864 00000000"))
    }
}
