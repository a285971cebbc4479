/// Percent-encoding (RFC 3986 § 2.1): `%41` stands for an A.
package enum PercentEncoding {
    /// The bytes that a text stands for; nil if a percent sign has not two hexadecimal digits behind it.
    package static func decoded(_ text: Substring.UTF8View) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var rest = text
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard let decoded = takeDigits(from: &rest) else { return nil }
                bytes.append(decoded)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }

    /// The text that another one stands for; nil if that is badly encoded, or is no UTF-8.
    package static func decoded(_ text: some StringProtocol) -> String? {
        decoded(Substring(text).utf8).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// Takes what stands behind a percent sign: the byte of two hexadecimal digits, or nil if there are none.
    package static func takeDigits(from rest: inout Substring.UTF8View) -> UInt8? {
        guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else { return nil }
        return high << 4 | low
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
