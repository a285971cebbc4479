import MediaCore
import Testing

@testable import ISOBMFF

@Suite struct MediaBoxTests {
    @Test func mediaHeaderHasTimescaleAndLanguage() {
        #expect(
            MediaHeaderBox(timescale: 48_000, language: 0x15C7).hex
                == digits("00000020 6d646864 00000000 00000000 00000000 0000bb80 00000000 15c7 0000")
        )
    }

    @Test func extendedLanguageEndsWithZero() {
        #expect(ExtendedLanguageBox(tag: "pt-BR").hex == digits("00000012 656c6e67 00000000 70742d4252 00"))
    }

    @Test(arguments: [
        (MediaKind.video, "76696465", "566964656f48616e646c6572 00"),
        (MediaKind.audio, "736f756e", "536f756e6448616e646c6572 00"),
    ])
    func handlerNamesTheKindOfTrack(kind: MediaKind, type: String, name: String) {
        #expect(
            HandlerBox(kind: kind).hex
                == digits("0000002d 68646c72 00000000 00000000 \(type) 00000000 00000000 00000000 \(name)")
        )
    }
}
