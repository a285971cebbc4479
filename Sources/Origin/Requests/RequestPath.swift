/// The path of a request target, freed from its query and its percent-encoding.
package enum RequestPath {
    /// The decoded path, or nil where it does not begin with a slash or has a character that no URL of ours has.
    ///
    /// Encoded characters are the same as plain ones (RFC 3986 § 6.2.2.2), but an encoded slash is no separator and an
    /// encoded control character is no character: both are refused, before anyone can mistake them.
    package static func decoded(_ target: String) -> Substring? {
        let path = target.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        guard path.first == UInt8(ascii: "/") else { return nil }
        if !path.contains(UInt8(ascii: "%")) { return path.allSatisfy(isPlain) ? Substring(path) : nil }

        var bytes: [UInt8] = []
        bytes.reserveCapacity(path.count)
        var rest = path
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                    return nil
                }
                let decoded = high << 4 | low
                guard isPlain(decoded), decoded != UInt8(ascii: "/") else { return nil }
                bytes.append(decoded)
            } else {
                guard isPlain(byte) else { return nil }
                bytes.append(byte)
            }
        }
        return Substring(decoding: bytes, as: UTF8.self)
    }

    /// Whether it is printable ASCII and no backslash, which some take for a slash.
    ///
    /// A decoded `%` passes: it is not decoded twice.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "\\")
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
