import CFFmpeg
import Glibc
import MediaCore

/// Feeds that a reader can continue where another one stopped.
extension FeedAddress {
    /// True if another reader can continue the feed, which two may have open at a time and begin at any byte.
    ///
    /// These are datagrams, and transport streams that are pulled over a connection. An encoder's connection to a
    /// listener of SRT, RTMP or TCP belongs to one process alone.
    var canResume: Bool {
        guard feed.kind == .network, feed.path == nil else { return false }
        return switch feed.feedProtocol?.sharing {
        case .always: true
        case .unlessCalled: !isListening
        case nil, .never: false
        }
    }

    /// Checks that no other process has the port of a feed: the reader's socket permits sharing, so that the system
    /// would not refuse it.
    ///
    /// - Throws: `FFmpegError` as if it could not be opened.
    func checkIsFree() throws(FFmpegError) {
        guard feed.feedProtocol?.sharing == .always, let (host, port) = Self.place(in: feed.location) else { return }
        var hints = unsafe addrinfo()
        unsafe hints.ai_family = AF_UNSPEC
        unsafe hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
        unsafe hints.ai_flags = AI_PASSIVE | AI_NUMERICHOST
        var found: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(host.isEmpty ? nil : host, port, &hints, &found) == 0, let info = unsafe found else {
            return
        }
        defer { unsafe freeaddrinfo(info) }
        guard unsafe !info.pointee.ai_addr.isMulticast else { return }
        let descriptor = unsafe socket(
            info.pointee.ai_family,
            info.pointee.ai_socktype | Int32(SOCK_CLOEXEC.rawValue),
            0
        )
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        // This socket does not ask to share the port, so any other owner makes `bind` fail.
        if unsafe bind(descriptor, info.pointee.ai_addr, info.pointee.ai_addrlen) != 0, errno == EADDRINUSE {
            throw FFmpegError(code: cffmpeg_error_posix(EADDRINUSE), operation: "open")
        }
    }

    /// The host and port for datagrams; nil if the URL has none, or they are elsewhere.
    private static func place(in url: String) -> (host: String, port: String)? {
        guard let start = url.firstRange(of: "://")?.upperBound else { return nil }
        var authority = url[start...].prefix { $0 != "/" && $0 != "?" }
        if let at = authority.lastIndex(of: "@") { authority = authority[authority.index(after: at)...] }
        guard let colon = authority.lastIndex(of: ":") else { return nil }
        let port = authority[authority.index(after: colon)...]
        let host = authority[..<colon].drop { $0 == "[" }.prefix { $0 != "]" }
        return Int(port) == nil ? nil : (String(host), String(port))
    }
}

extension UnsafeMutablePointer<sockaddr> {
    fileprivate var isMulticast: Bool {
        switch unsafe Int32(pointee.sa_family) {
        case AF_INET:
            unsafe withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                unsafe UInt32(bigEndian: $0.pointee.sin_addr.s_addr) >> 28 == 0xE
            }
        case AF_INET6:
            unsafe withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                unsafe $0.pointee.sin6_addr.__in6_u.__u6_addr8.0 == 0xFF
            }
        default: false
        }
    }
}
