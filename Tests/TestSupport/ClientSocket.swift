import Glibc

/// A socket that is connected to a server of this machine, for those who say every byte themselves.
package enum ClientSocket {
    /// - Parameter port: The server's.
    /// - Returns: Its descriptor, which the caller has to close; nil if nobody listens.
    package static func connected(to port: Int) -> CInt? {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if code == 0 { return descriptor }
        close(descriptor)
        return nil
    }

    /// Returns the port of this end of a connection; nil if there is none.
    package static func localPort(of descriptor: CInt) -> UInt16? {
        var (address, size) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
        let code = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        return code == 0 ? UInt16(bigEndian: address.sin_port) : nil
    }

    /// Looks for bytes of a client that its server has not read.
    ///
    /// - Parameter port: The port of the client's end.
    /// - Returns: True if the kernel holds none, neither to be sent nor to be read.
    package static func isAllRead(from port: UInt16) -> Bool {
        let hex = String(port, radix: 16, uppercase: true)
        let place = ":" + String(repeating: "0", count: 4 - hex.count) + hex
        // A line has its number, its own address, the other's, its state, and the bytes to send and to be read.
        let sockets = KernelTable.text("/proc/net/tcp").split(separator: "\n").dropFirst().map {
            $0.split(separator: " ")
        }
        let own = sockets.first { $0.count > 4 && $0[1].hasSuffix(place) }
        let server = sockets.first { $0.count > 4 && $0[2].hasSuffix(place) }
        guard let own, let server else { return false }
        return own[4].hasPrefix("00000000:") && server[4].hasSuffix(":00000000")
    }
}
