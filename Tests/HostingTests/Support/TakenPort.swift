import Glibc
import Testing

/// A port of the loopback interface that somebody else listens at.
final class TakenPort {
    let number: Int
    private let descriptor: CInt

    init() throws {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        self.descriptor = descriptor
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && listen(descriptor, 1) == 0
                    && getsockname(descriptor, address, &length) == 0
            }
        }
        number = Int(UInt16(bigEndian: address.sin_port))
        try #require(isListening)
    }

    deinit { close(descriptor) }
}
