import MediaCore
import NIOCore

/// Names of objects in a cluster.
enum KubernetesName {
    /// Returns true if a text is a label of DNS (RFC 1123 § 2.1): small letters, digits and inner hyphens, up to 63.
    static func isLabel(_ text: some StringProtocol) -> Bool {
        (1...63).contains(text.utf8.count) && text.first != "-" && text.last != "-"
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
            }
    }

    /// Makes the end of an object's name: the channel's name, or a similar one with a hash if that is not a label.
    static func label(_ channel: String) -> String {
        guard !isLabel(channel) || channel.utf8.count > 40 else { return channel }
        let letters = channel.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
        return "\(String(letters.prefix(40)))-\(hash(channel).prefix(8))"
    }

    /// Returns the hash of a text, 16 hexadecimal digits.
    static func hash(_ text: String) -> String { ContentHash.everyByte(of: ByteBuffer(string: text)).description }
}
