import FoundationEssentials
import MediaCore

extension Bytes16 {
    /// Takes 22 characters of base64url without padding (RFC 4648 § 5); nil for anything else.
    init?(base64URL text: String) {
        guard text.utf8.count == 22, let bytes = [UInt8](base64URL: text.utf8) else { return nil }
        self.init(bytes)
    }

    /// 22 characters of base64url without padding (RFC 4648 § 5).
    var base64URL: String {
        Data(bytes).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
