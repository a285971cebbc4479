import FoundationEssentials
import MediaCore

extension Bytes16 {
    /// Takes 22 characters of base64url without padding (RFC 4648 § 5); nil for anything else.
    init?(base64URL text: String) {
        let isBase64URL = { (character: UInt8) in
            switch character {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard text.utf8.count == 22, text.utf8.allSatisfy(isBase64URL) else { return nil }
        let base64 = text.replacing("-", with: "+").replacing("_", with: "/") + "=="
        guard let data = Data(base64Encoded: base64) else { return nil }
        self.init(data)
    }

    /// 22 characters of base64url without padding (RFC 4648 § 5).
    var base64URL: String {
        Data(bytes).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
