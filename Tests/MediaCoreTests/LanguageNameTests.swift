import MediaCore
import Testing

@Suite struct LanguageNameTests {
    @Test(
        arguments: [
            ("en", "English"), ("de", "German"), ("DE", "German"), ("pt-BR", "Portuguese (Brazil)"),
            ("gsw", "Swiss German"), ("nb", "Norwegian Bokmål"), ("und", nil), ("UND-Latn", nil), ("qaa", nil),
            ("x-none", nil),
        ] as [(String, String?)]
    )
    func languagesAreCalledAsInEnglish(tag: String, name: String?) {
        #expect(LanguageName.english(tag) == name)
    }

    @Test func captionsAreCalledByTheirNumber() {
        #expect(CaptionChannel.line21(3).menuName == "Captions 3")
        #expect(CaptionChannel.service(12).menuName == "Digital captions 12")
    }
}
