import Glibc

/// Addresses of IP that begin alike (RFC 4632 § 3.1, RFC 4291 § 2.3): `192.0.2.7`, `10.0.0.0/8` or `2001:db8::/32`.
package struct AddressRange: Hashable, Sendable {
    /// The bytes of the first address: 4 or 16, those behind the prefix 0.
    private let bytes: [UInt8]
    /// Bits that all have in common.
    private let prefix: Int

    /// Reads an address or a range; fails if the text is neither, or has bits behind its prefix.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let bytes = Self.bytes(ofAddress: String(parts[0])) else { return nil }
        var prefix = bytes.count * 8
        if parts.count == 2 {
            guard parts[1].allSatisfy({ $0.isASCII && $0.isNumber }), let bits = Int(parts[1]), bits <= prefix else {
                return nil
            }
            prefix = bits
        }
        self.bytes = bytes
        self.prefix = prefix
        guard (prefix..<bytes.count * 8).allSatisfy({ !Self.bit($0, of: bytes) }) else { return nil }
    }

    /// True if it is a single address.
    package var isAddress: Bool { prefix == bytes.count * 8 }

    /// Returns true if an address is one of these; an IPv4 address may be written as one of IPv6 (RFC 4291 § 2.5.5.2).
    package func contains(_ address: String) -> Bool {
        guard var other = Self.bytes(ofAddress: address) else { return false }
        if bytes.count == 4, other.count == 16, Self.isMapped(other) { other.removeFirst(12) }
        return other.count == bytes.count
            && (0..<prefix).allSatisfy { Self.bit($0, of: bytes) == Self.bit($0, of: other) }
    }

    /// Returns the network of a client for counting: its IPv4 address, or the /64 network of its IPv6 address.
    ///
    /// A client chooses among all addresses of a /64 network (RFC 4291 § 2.5.4), so it is counted as one. An IPv4
    /// address may be written as one of IPv6.
    ///
    /// - Returns: The network; the text itself if it is not an address.
    package static func network(of address: String) -> String {
        guard let bytes = bytes(ofAddress: address), bytes.count == 16 else { return address }
        return isMapped(bytes)
            ? bytes.suffix(4).map { "\($0)" }.joined(separator: ".")
            : bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ":")
    }

    /// Returns true if an IPv6 address stands for one of IPv4 (RFC 4291 § 2.5.5.2).
    private static func isMapped(_ bytes: [UInt8]) -> Bool {
        bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10...11] == [0xFF, 0xFF]
    }

    private static func bit(_ place: Int, of bytes: [UInt8]) -> Bool { bytes[place / 8] >> (7 - place % 8) & 1 == 1 }

    private static func bytes(ofAddress text: String) -> [UInt8]? {
        // An interface's name belongs to this machine, not to the address (RFC 4007 § 11).
        let text = String(text.prefix { $0 != "%" })
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            if inet_pton(family, text, &bytes) == 1 { return bytes }
        }
        return nil
    }
}

extension AddressRange: CustomStringConvertible {
    package var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, bytes, &text, socklen_t(text.count))
        let address = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return isAddress ? address : "\(address)/\(prefix)"
    }
}
