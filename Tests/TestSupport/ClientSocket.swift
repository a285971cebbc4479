import Glibc

/// A socket that is connected to a server of this machine, for those who say every byte themselves.
package enum ClientSocket {
    /// - Parameter port: The server's.
    /// - Returns: Its descriptor, which whoever asks has to close; nil where nobody listens.
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

    /// Returns the port of this end of a connection; nil where there is none.
    package static func localPort(of descriptor: CInt) -> UInt16? {
        var (address, size) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
        let code = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        return code == 0 ? UInt16(bigEndian: address.sin_port) : nil
    }
}
