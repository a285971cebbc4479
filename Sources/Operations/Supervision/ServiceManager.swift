import Glibc

/// The service manager that has started this process, as systemd speaks to it (sd_notify(3), sd_watchdog_enabled(3)).
package struct ServiceManager: Sendable {
    /// The period within which the manager expects a sign of life; nil if it expects none.
    package let watchdogPeriod: Duration?
    /// The path of its datagram socket; one that begins with a zero byte is abstract (unix(7)).
    private let path: [UInt8]

    /// Finds the service manager; fails if none expects notifications from this process.
    ///
    /// - Parameters:
    ///   - environment: The environment of the process.
    ///   - processID: The ID of the process.
    package init?(environment: [String: String], processID: Int32 = getpid()) {
        var path = Array((environment["NOTIFY_SOCKET"] ?? "").utf8)
        guard path.count > 1, path.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) else { return nil }
        switch path[0] {
        case UInt8(ascii: "@"): path[0] = 0
        case UInt8(ascii: "/"): break
        default: return nil
        }
        self.path = path
        let isMeant = environment["WATCHDOG_PID"].map { $0 == "\(processID)" } ?? true
        let microseconds = environment["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
        watchdogPeriod = isMeant && microseconds > 0 ? .microseconds(microseconds) : nil
    }

    /// Sends news to the manager; a manager that is gone is not waited for.
    package func notify(_ news: [News]) {
        let text = news.map(\.assignment).joined(separator: "\n")
        if text.isEmpty { return }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
        let bytes = Array(text.utf8)
        _ = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT), $0, length)
            }
        }
    }

    /// A message to the manager.
    package enum News: Hashable, Sendable {
        case ready
        /// One line for people.
        case status(String)
        /// All is well.
        case alive
        case stopping
        /// Another process is the service from now on.
        case mainProcess(Int32)

        fileprivate var assignment: String {
            switch self {
            case .ready: "READY=1"
            case .status(let text): "STATUS=" + text.replacing("\n", with: " ")
            case .alive: "WATCHDOG=1"
            case .stopping: "STOPPING=1"
            case .mainProcess(let identifier): "MAINPID=\(identifier)"
            }
        }
    }
}
