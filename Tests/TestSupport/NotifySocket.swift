import Foundation

/// The datagram socket at which a service manager hears of a process (sd_notify(3)).
package final class NotifySocket: Sendable {
    package let path: String
    private let descriptor: CInt

    package struct NotBound: Error {}

    /// - Parameter path: Where it is made.
    /// - Throws: ``NotBound`` if it cannot be made there.
    package init(_ path: String) throws {
        self.path = path
        descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { [descriptor] in
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard code == 0 else { throw NotBound() }
    }

    deinit { close(descriptor) }

    /// All that was said since the last time.
    package func heard() -> String {
        var text = ""
        var bytes = [UInt8](repeating: 0, count: 4_096)
        while case let count = recv(descriptor, &bytes, bytes.count, CInt(MSG_DONTWAIT)), count > 0 {
            text += String(decoding: bytes.prefix(count), as: UTF8.self) + "\n"
        }
        return text
    }
}
