import MediaCore
import Testing

@Suite struct PercentEncodingTests {
    @Test(
        arguments: [
            ("", ""), ("a", "a"), ("%41%2fb%2F", "A/b/"), ("a%20b+c", "a b+c"), ("%C3%BC", "ü"), ("%2541", "%41"),
            ("%", nil), ("%4", nil), ("a%4g", nil), ("%%41", nil), ("%+5", nil), ("%FF", nil),
        ] as [(String, String?)]
    )
    func aTextStandsForAnother(text: String, decoded: String?) {
        #expect(PercentEncoding.decoded(text) == decoded)
    }

    @Test func bytesNeedBeNoText() {
        #expect(PercentEncoding.decoded("%FFa"[...].utf8) == [0xFF, 0x61])
    }
}
