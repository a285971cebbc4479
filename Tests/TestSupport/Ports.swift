import Glibc
import Synchronization

/// Ports that nothing uses now.
///
/// Linux gives connections that are made the ports from 32768 on: one of those may be taken before a server comes to
/// listen on it, even by a client who tries to reach that server.
package enum Ports {
    private static let range = 12_000..<32_000
    private static let next = Mutex(Int.random(in: range))

    /// - Parameter datagram: UDP instead of TCP.
    /// - Returns: A number that no other test of this process gets.
    package static func free(datagram: Bool = false) -> Int {
        while true {
            let port = next.withLock { port in
                port = port + 1 < range.upperBound ? port + 1 : range.lowerBound
                return port
            }
            if isFree(port, datagram: datagram) { return port }
        }
    }

    /// Returns true if a socket of this machine has a port for datagrams, as proc(5) tells.
    package static func isBound(_ port: Int) -> Bool {
        let hexadecimal = String(port, radix: 16, uppercase: true)
        let place = ":" + String(repeating: "0", count: 4 - hexadecimal.count) + hexadecimal + " "
        return KernelTable.text("/proc/net/udp").contains(place)
    }

    private static func isFree(_ port: Int, datagram: Bool) -> Bool {
        let type = datagram ? SOCK_DGRAM : SOCK_STREAM
        let descriptor = socket(AF_INET, Int32(type.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(port).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
