import Glibc

/// An address and a port, as sockets have them.
struct SocketEndpoint: Sendable {
    /// A `sockaddr_in` or `sockaddr_in6`, with zeros behind it.
    private var storage: sockaddr_storage

    /// Resolves the name of a host.
    ///
    /// - Parameters:
    ///   - host: An address or a name; empty for every address of this machine.
    ///   - port: The port.
    /// - Throws: `FFmpegError` if there is no such host.
    init(_ host: String, port: Int) throws(FFmpegError) {
        var hints = unsafe addrinfo()
        unsafe hints.ai_family = AF_UNSPEC
        unsafe hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
        unsafe hints.ai_flags = AI_PASSIVE
        var found: UnsafeMutablePointer<addrinfo>?
        let result = unsafe getaddrinfo(host.isEmpty ? nil : host, "\(port)", &hints, &found)
        guard result == 0, let info = unsafe found else {
            throw FFmpegError(code: FFmpegError.posix(EADDRNOTAVAIL), operation: "find \(host)")
        }
        defer { unsafe freeaddrinfo(info) }
        guard let address = unsafe info.pointee.ai_addr, let place = unsafe SocketEndpoint(address) else {
            throw FFmpegError(code: FFmpegError.posix(EAFNOSUPPORT), operation: "find \(host)")
        }
        self = place
    }

    /// Copies an address; nil if it is neither of IPv4 nor of IPv6.
    init?(_ address: UnsafePointer<sockaddr>) {
        let family = unsafe Int32(address.pointee.sa_family)
        guard family == AF_INET || family == AF_INET6 else { return nil }
        unsafe self.init(bytes: UnsafeRawBufferPointer(start: address, count: Self.byteCount(of: family)))
    }

    /// Copies the bytes of a `sockaddr_in` or `sockaddr_in6`.
    init(bytes: UnsafeRawBufferPointer) {
        storage = sockaddr_storage()
        let count = min(bytes.count, MemoryLayout<sockaddr_storage>.size)
        unsafe withUnsafeMutableBytes(of: &storage) { storage in
            unsafe storage.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
        }
    }

    private static func byteCount(of family: Int32) -> Int {
        family == AF_INET6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
    }

    /// AF_INET or AF_INET6.
    var family: Int32 { Int32(storage.ss_family) }

    /// The address in storage that has room for any.
    var address: sockaddr_storage { storage }

    /// True if it is a multicast group (RFC 5771, RFC 4291 § 2.7).
    var isMulticast: Bool {
        switch family {
        case AF_INET: addressBytes.first.map { $0 >> 4 == 0xE } ?? false
        case AF_INET6: addressBytes.first == 0xFF
        default: false
        }
    }

    /// True if it stands for every address of this machine.
    var isAnyAddress: Bool { addressBytes.allSatisfy { $0 == 0 } }

    /// The bytes of the address, 4 or 16.
    private var addressBytes: [UInt8] {
        var copy = storage
        let place = family == AF_INET6 ? 8..<24 : 4..<8
        return unsafe withUnsafeBytes(of: &copy) { unsafe Array($0[place]) }
    }

    /// The address without the port: `192.0.2.7`, `2001:db8::1`.
    var host: String {
        let bytes = addressBytes
        // An IPv4 address in the form of IPv6 (RFC 4291 § 2.5.5.2) is shown in its own form.
        let isMapped = bytes.count == 16 && bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10...11] == [0xFF, 0xFF]
        let shown = isMapped ? Array(bytes.suffix(4)) : bytes
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        _ = unsafe inet_ntop(shown.count == 4 ? AF_INET : AF_INET6, shown, &text, socklen_t(text.count))
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    var port: Int {
        var copy = storage
        return unsafe withUnsafeBytes(of: &copy) { unsafe Int($0[2]) << 8 | Int($0[3]) }
    }

    /// Calls `body` with the address as system calls take it.
    func withAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        var copy = storage
        let count = socklen_t(Self.byteCount(of: family))
        return unsafe withUnsafePointer(to: &copy) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, count) }
        }
    }
}

extension SocketEndpoint: Hashable {
    /// Family, port and address, in as few words as they take.
    private var words: (UInt64, UInt64, UInt64) {
        var copy = storage
        return unsafe withUnsafeBytes(of: &copy) { bytes in
            let head = unsafe UInt64(bytes.loadUnaligned(as: UInt32.self)) << 32
            guard family == AF_INET6 else {
                return (head | UInt64(unsafe bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self)), 0, 0)
            }
            return unsafe (
                head, bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self),
                bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
            )
        }
    }

    static func == (a: Self, b: Self) -> Bool { a.words == b.words }

    func hash(into hasher: inout Hasher) {
        let words = words
        hasher.combine(words.0)
        hasher.combine(words.1)
        hasher.combine(words.2)
    }
}

extension SocketEndpoint: CustomStringConvertible {
    var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
