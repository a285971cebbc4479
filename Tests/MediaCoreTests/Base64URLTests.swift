import MediaCore
import Testing

@Suite struct Base64URLTests {
    /// RFC 4648 § 10, without padding, and the two characters that plain base64 has not.
    @Test(arguments: [
        ("", ""), ("Zg", "f"), ("Zm8", "fo"), ("Zm9v", "foo"), ("Zm9vYg", "foob"), ("Zm9vYmE", "fooba"),
        ("Zm9vYmFy", "foobar"), ("fn5-fj8_Pw", "~~~~???"),
    ])
    func bytesAreDecoded(text: String, bytes: String) {
        #expect([UInt8](base64URL: text.utf8) == Array(bytes.utf8))
    }

    @Test(arguments: [
        "Z", "Zm9vY", "Zg==", "Zm8=", "Zm9v\n", " Zm9v", "Zm+v", "Zm/v", "Zm9.", "Zm9ü",
        // Bits behind the last byte.
        "Zh", "Zv", "Zm9", "Zm8B-",
    ])
    func otherTextIsRefused(text: String) {
        #expect([UInt8](base64URL: text.utf8) == nil)
    }
}
