import Glibc

/// Ports that nothing uses now.
package enum Ports {
    /// - Parameter datagram: UDP instead of TCP.
    /// - Returns: Its number.
    package static func free(datagram: Bool = false) -> Int {
        let type = datagram ? SOCK_DGRAM : SOCK_STREAM
        let descriptor = socket(AF_INET, Int32(type.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = bind(descriptor, address, size)
                getsockname(descriptor, address, &size)
            }
        }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
