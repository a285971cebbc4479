import Glibc
import TestSupport
import Testing

/// Tests wait until a port is bound: also among more sockets than the first page of the kernel's table has room for.
@Suite struct PortsTests {
    @Test(arguments: [SOCK_STREAM, SOCK_DGRAM])
    func aBoundPortIsFoundAmongManySockets(type: __socket_type) async throws {
        var descriptors: [CInt] = []
        defer { for descriptor in descriptors { close(descriptor) } }
        for _ in 0..<64 {
            let descriptor = socket(AF_INET, CInt(type.rawValue), 0)
            descriptors.append(descriptor)
            let port = try #require(Self.bind(descriptor))
            if type == SOCK_STREAM {
                try #require(listen(descriptor, 1) == 0)
                try await Transport.tcp.bound(port)
            } else {
                #expect(Ports.isBound(Int(port)))
                try await Transport.udp.bound(port)
            }
        }
    }

    /// Binds a socket to a port that the kernel chooses.
    private static func bind(_ descriptor: CInt) -> UInt16? {
        var (address, size) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                Glibc.bind(descriptor, address, size) == 0 && getsockname(descriptor, address, &size) == 0
            }
        }
        return isBound ? UInt16(bigEndian: address.sin_port) : nil
    }
}
