import NIOCore

extension SocketAddress {
    /// What a client is counted by: its IPv4 address, or the network of its IPv6 address.
    ///
    /// A client chooses among all addresses of a /64 network (RFC 4291 § 2.5.4), so it is counted as one.
    var network: String? {
        guard case .v6 = self else { return ipAddress }
        // The address lies behind family, port and flow (RFC 3493 § 3.3).
        let bytes = withSockAddr { address, size in Array(UnsafeRawBufferPointer(start: address, count: size)[8..<24]) }
        // RFC 4291 § 2.5.5.2: an IPv4 address as a socket for both families sees it.
        let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10...11].allSatisfy { $0 == 0xFF }
        return isMapped
            ? bytes.suffix(4).map { "\($0)" }.joined(separator: ".")
            : bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ":")
    }
}
