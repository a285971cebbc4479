import MediaCore

/// The path of a request target, freed from its query and its percent-encoding.
package enum RequestPath {
    /// The decoded path, or nil if it does not begin with a slash or has a character that no URL of ours has.
    ///
    /// Encoded characters are equivalent to plain ones (RFC 3986 § 6.2.2.2). Two kinds are refused, because they could
    /// be misread: an encoded slash, which does not separate, and encoded control characters. So is a number sign: a
    /// target has no fragment (RFC 9112 § 3.2), and a cache in front may take it for a part of the path.
    package static func decoded(_ target: String) -> Substring? {
        guard !target.utf8.contains(UInt8(ascii: "#")) else { return nil }
        let path = target.utf8.prefix { $0 != UInt8(ascii: "?") }
        guard path.first == UInt8(ascii: "/") else { return nil }
        if !path.contains(UInt8(ascii: "%")) { return path.allSatisfy(isPlain) ? Substring(path) : nil }

        var bytes: [UInt8] = []
        bytes.reserveCapacity(path.count)
        var rest = path
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard let decoded = PercentEncoding.takeDigits(from: &rest), isPlain(decoded),
                    decoded != UInt8(ascii: "/")
                else { return nil }
                bytes.append(decoded)
            } else {
                guard isPlain(byte) else { return nil }
                bytes.append(byte)
            }
        }
        return Substring(decoding: bytes, as: UTF8.self)
    }

    /// Returns true for printable ASCII other than a backslash, which some take for a slash.
    ///
    /// A decoded `%` passes: it is not decoded twice.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "\\")
    }
}
