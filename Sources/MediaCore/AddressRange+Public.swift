import Glibc

/// Addresses on the public internet.
extension AddressRange {
    /// The ranges of this machine, its link, private networks, and reserved addresses (RFC 6890, RFC 4291 § 2.5, RFC
    /// 4193).
    private static let notPublic = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.168.0.0/16", "198.18.0.0/15", "224.0.0.0/4", "240.0.0.0/4",
        "::/96", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8",
    ].compactMap { AddressRange($0) }

    /// Returns true if an address is on the public internet; false for a malformed one.
    package static func isPublic(_ address: String) -> Bool {
        // One with a prefix is a range, which none of these contains.
        !address.contains("/") && AddressRange(address) != nil && !notPublic.contains { $0.contains(address) }
    }

    /// Returns true if a host may be on the public internet: anything but `localhost` and addresses that are not.
    ///
    /// An address may also be one number or have fewer parts than four, as resolvers and browsers read it.
    package static func mayBePublic(host: String) -> Bool {
        var name = host.lowercased()[...]
        if name.hasSuffix(".") { name = name.dropLast() }
        if name.hasPrefix("["), name.hasSuffix("]") { name = name.dropFirst().dropLast() }
        if name == "localhost" || name.hasSuffix(".localhost") { return false }
        var address = in_addr()
        if inet_aton(String(name), &address) == 1 {
            let parts = withUnsafeBytes(of: address.s_addr) { $0.map { "\($0)" } }
            return isPublic(parts.joined(separator: "."))
        }
        return AddressRange(String(name)) == nil || isPublic(String(name))
    }
}
