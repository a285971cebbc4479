import CDatagrams
import Glibc
import MediaCore

/// Owns a socket that the datagrams of a feed come to.
final class DatagramSocket: Sendable {
    let descriptor: CInt

    /// Opens the socket, joins a group if the address is one, and has the kernel note the time of each datagram.
    ///
    /// - Parameters:
    ///   - address: The port, and the group.
    ///   - besideOthers: True if other sockets may have the port.
    /// - Throws: `FFmpegError` if the address is not one of this machine, another socket has the port, or a group
    ///   cannot be joined.
    init(_ address: DatagramAddress, besideOthers: Bool) throws(FFmpegError) {
        let place = try SocketEndpoint(address.host, port: address.port)
        descriptor = socket(place.family, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Self.failure("open") }
        // Every socket that joins a group gets its datagrams. A port has one socket, except during a takeover.
        if besideOthers || place.isMulticast { set(SOL_SOCKET, SO_REUSEADDR, CInt(1)) }
        // SO_RCVBUFFORCE goes beyond net.core.rmem_max, and needs the right to administer the network.
        if !set(SOL_SOCKET, SO_RCVBUFFORCE, CInt(clamping: address.socketByteCount)) {
            set(SOL_SOCKET, SO_RCVBUF, CInt(clamping: address.socketByteCount))
        }
        cdatagrams_note_arrivals(descriptor)
        if place.family == AF_INET6, place.isAnyAddress { set(CInt(IPPROTO_IPV6), IPV6_V6ONLY, CInt(0)) }
        // The group is joined first: a sender may send to it as soon as the port is open.
        if place.isMulticast { try join(place, address) }
        try bind(to: place, address)
        // A successor opens the port while this process has it, which needs the option on both sockets. Set before
        // `bind`, it would let this socket share a port with a stranger.
        set(SOL_SOCKET, SO_REUSEADDR, CInt(1))
    }

    deinit {
        close(descriptor)
    }

    /// Bytes that the socket holds, as the kernel has granted them.
    var byteCount: Int {
        var (granted, length) = (CInt(0), socklen_t(MemoryLayout<CInt>.size))
        _ = unsafe getsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &granted, &length)
        // The kernel counts as much again for its own records (socket(7)).
        return Int(granted) / 2
    }

    /// Listens at the address, or at every address of this machine if the address belongs to another, as with NAT.
    private func bind(to place: SocketEndpoint, _ address: DatagramAddress) throws(FFmpegError) {
        if unsafe place.withAddress({ unsafe Glibc.bind(descriptor, $0, $1) }) == 0 { return }
        guard errno == EADDRNOTAVAIL, !place.isMulticast else { throw Self.failure("listen at \(place)") }
        let any = try SocketEndpoint(place.family == AF_INET6 ? "::" : "0.0.0.0", port: address.port)
        guard unsafe any.withAddress({ unsafe Glibc.bind(descriptor, $0, $1) }) == 0 else {
            throw Self.failure("listen at \(any)")
        }
    }

    /// Joins a group for any sender, or for those that are named (RFC 3678 § 5.1).
    private func join(_ group: SocketEndpoint, _ address: DatagramAddress) throws(FFmpegError) {
        let level = CInt(group.family == AF_INET6 ? IPPROTO_IPV6 : IPPROTO_IP)
        // Without this the socket would get every group that anybody on this machine has joined at the port.
        set(level, group.family == AF_INET6 ? IPV6_MULTICAST_ALL : IP_MULTICAST_ALL, CInt(0))
        var interface: UInt32 = 0
        if let name = address.interface { interface = try Self.index(ofInterface: name) }
        // The kernel can only filter single senders; networks are checked when datagrams come.
        let senders = address.sources.filter(\.isAddress)
        guard !senders.isEmpty, senders.count == address.sources.count else {
            var request = group_req()
            (request.gr_interface, request.gr_group) = (interface, group.address)
            guard set(level, MCAST_JOIN_GROUP, request) else { throw Self.failure("join \(address.host)") }
            return
        }
        for sender in senders {
            var request = group_source_req()
            (request.gsr_interface, request.gsr_group) = (interface, group.address)
            request.gsr_source = try SocketEndpoint(sender.description, port: 0).address
            guard set(level, MCAST_JOIN_SOURCE_GROUP, request) else {
                throw Self.failure("join \(address.host) of \(sender)")
            }
        }
    }

    /// The index of an interface by its name or one of its addresses.
    private static func index(ofInterface name: String) throws(FFmpegError) -> UInt32 {
        let index = unsafe if_nametoindex(name)
        if index > 0 { return index }
        var list: UnsafeMutablePointer<ifaddrs>?
        guard unsafe getifaddrs(&list) == 0 else { throw failure("list interfaces") }
        defer { unsafe freeifaddrs(list) }
        var next = unsafe list
        while let entry = unsafe next {
            unsafe next = entry.pointee.ifa_next
            guard let address = unsafe entry.pointee.ifa_addr, unsafe SocketEndpoint(address)?.host == name else {
                continue
            }
            return unsafe if_nametoindex(entry.pointee.ifa_name)
        }
        throw failure("find the interface \(name)", EADDRNOTAVAIL)
    }

    /// Describes a call that failed, with the remedy if there is one.
    private static func failure(_ operation: String, _ code: CInt = errno) -> FFmpegError {
        let remedy =
            switch code {
            case EADDRINUSE: " (give the input another port, or end the program that uses this one)"
            case EADDRNOTAVAIL: " (localaddr is the name or an address of an interface of this machine)"
            case ENODEV: " (set localaddr to the interface that receives the group)"
            case ENOBUFS: " (net.ipv4.igmp_max_msf bounds the senders of a group)"
            default: ""
            }
        return FFmpegError(code: FFmpegError.posix(code), operation: operation + remedy)
    }

    @discardableResult
    private func set<Value: BitwiseCopyable>(_ level: CInt, _ option: CInt, _ value: Value) -> Bool {
        let code = unsafe withUnsafeBytes(of: value) { bytes in
            unsafe setsockopt(descriptor, level, option, bytes.baseAddress, socklen_t(bytes.count))
        }
        return code == 0
    }
}
