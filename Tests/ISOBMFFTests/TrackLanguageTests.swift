import MediaCore
import Testing

@testable import ISOBMFF

@Suite struct TrackLanguageTests {
    @Test(
        arguments: [
            (nil, 0x55C4, nil),
            ("und", 0x55C4, nil),
            ("en", 0x15C7, nil),
            ("DE", 0x10B5, nil),
            ("zu", 0x6AAC, nil),
            ("aa", 0x0432, nil),
            ("eng", 0x15C7, nil),
            ("ast", 0x0674, nil),
            ("pt-BR", 0x41F2, "pt-BR"),
            ("zh-Hant-TW", 0x690F, "zh-Hant-TW"),
            ("xx", 0x55C4, "xx"),
            ("x-klingon", 0x55C4, "x-klingon"),
            ("", 0x55C4, nil),
            ("en_US", 0x55C4, nil),
            ("en-", 0x55C4, nil),
            ("français", 0x55C4, nil),
            ("a\u{0}b", 0x55C4, nil),
            ("toolongasubtag", 0x55C4, nil),
        ] as [(String?, UInt16, String?)]
    )
    func threeLettersSayItAndTheTagWhatTheyCannot(tag: String?, packed: UInt16, extended: String?) {
        let language = TrackLanguage(tag: tag)
        #expect(language.packed == packed)
        #expect(language.extendedTag == extended)
    }
}
