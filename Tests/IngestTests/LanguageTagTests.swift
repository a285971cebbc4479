import Testing

@testable import Ingest

@Suite struct LanguageTagTests {
    @Test(
        arguments: [
            ("eng", "en"), ("deu", "de"), ("ger", "de"), ("fra", "fr"), ("fre", "fr"), ("GER", "de"), ("zho", "zh"),
            ("en", "en"), ("gsw", "gsw"), ("qaa", "qaa"), ("mul", "mul"), ("eng,deu", "en"), ("deu-CH", "de-CH"),
            ("pt-BR", "pt-BR"),
            ("und", nil), ("", nil), ("x", nil), ("English", nil), ("e\"n", nil), ("en-\"", nil), ("en-ü", nil),
            (",eng", nil),
        ] as [(String, String?)]
    )
    func codesOfContainersBecomeTags(code: String, tag: String?) {
        #expect(LanguageTag.bcp47(code) == tag)
    }
}
