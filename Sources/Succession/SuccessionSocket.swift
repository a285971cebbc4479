import Glibc
import Synchronization

/// One end of the connection between a process and its successor: messages, with descriptors (`SCM_RIGHTS`, unix(7)).
///
/// Both ends wait as long as it takes, on a thread with no other work.
package final class SuccessionSocket: Sendable {
    private let descriptor: CInt
    private let sending = Mutex(())

    /// The kind, and the byte counts of the name and of the rest, in the byte order of the machine that both run on.
    private static let headerByteCount = 1 + 8 + 8
    /// A name is a path or a URL.
    private static let longestName = 1 << 16
    private static let mostBytes = 1 << 40

    /// - Parameter descriptor: A stream socket, which is closed with the last reference to this.
    package init(_ descriptor: CInt) {
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    deinit { close(descriptor) }

    /// Makes both ends.
    ///
    /// - Throws: ``SuccessionError``.
    package static func pair() throws(SuccessionError) -> (own: SuccessionSocket, other: CInt) {
        var ends: [CInt] = [-1, -1]
        guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw SuccessionError(failed: "socketpair")
        }
        return (SuccessionSocket(ends[0]), ends[1])
    }

    /// Shuts the connection down in both directions.
    package func shutDown() { _ = shutdown(descriptor, CInt(SHUT_RDWR)) }

    /// - Parameter message: The message, whose descriptor stays open here.
    /// - Throws: ``SuccessionError`` if the other end is gone.
    package func send(_ message: SuccessionMessage) throws(SuccessionError) {
        let name = Array(message.name.utf8)
        var header: [UInt8] = [message.kind.rawValue]
        withUnsafeBytes(of: UInt64(name.count)) { header += $0 }
        withUnsafeBytes(of: UInt64(message.bytes.count)) { header += $0 }
        let failure = sending.withLock { _ -> CInt? in
            send(header, with: message.descriptor) ?? send(name + message.bytes, with: nil)
        }
        if let failure { throw SuccessionError(failed: "send", code: failure) }
    }

    /// - Returns: Nil if the other end is gone.
    package func receive() -> SuccessionMessage? {
        guard let (header, descriptor) = read(Self.headerByteCount, takesDescriptor: true) else { return nil }
        let nameByteCount = Self.integer(header[1..<9])
        let byteCount = Self.integer(header[9..<17])
        guard let kind = SuccessionMessage.Kind(rawValue: header[0]),
            nameByteCount <= Self.longestName, byteCount <= Self.mostBytes,
            let (bytes, _) = read(nameByteCount + byteCount, takesDescriptor: false)
        else {
            if let descriptor { close(descriptor) }
            return nil
        }
        return SuccessionMessage(
            kind,
            name: String(decoding: bytes[..<nameByteCount], as: UTF8.self),
            bytes: Array(bytes[nameByteCount...]),
            descriptor: descriptor
        )
    }

    private static func integer(_ bytes: ArraySlice<UInt8>) -> Int {
        Int(clamping: Array(bytes).withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) })
    }

    // MARK: Bytes

    /// `struct cmsghdr` with one descriptor behind it (cmsg(3)): `CMSG_SPACE` and `CMSG_LEN` of four bytes.
    private static let controlByteCount = 24
    private static let controlLength = 20

    /// - Returns: Nil if all bytes were sent, else the system's error.
    private func send(_ bytes: [UInt8], with descriptor: CInt?) -> CInt? {
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes { rest in
                var parts = iovec(iov_base: UnsafeMutableRawPointer(mutating: rest.baseAddress), iov_len: rest.count)
                var control = [UInt8](repeating: 0, count: Self.controlByteCount)
                return withUnsafeMutablePointer(to: &parts) { parts in
                    control.withUnsafeMutableBytes { control in
                        var message = msghdr()
                        message.msg_iov = parts
                        message.msg_iovlen = 1
                        if let descriptor, done == 0, let start = control.baseAddress {
                            start.storeBytes(of: Self.controlLength, as: Int.self)
                            start.storeBytes(of: SOL_SOCKET, toByteOffset: 8, as: CInt.self)
                            start.storeBytes(of: CInt(SCM_RIGHTS), toByteOffset: 12, as: CInt.self)
                            start.storeBytes(of: descriptor, toByteOffset: 16, as: CInt.self)
                            message.msg_control = start
                            message.msg_controllen = Self.controlByteCount
                        }
                        return sendmsg(self.descriptor, &message, CInt(MSG_NOSIGNAL))
                    }
                }
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return errno }
            done += count
        }
        return nil
    }

    /// - Returns: Exactly so many bytes, and the descriptor that came with them; nil if there are fewer.
    private func read(_ byteCount: Int, takesDescriptor: Bool) -> (bytes: [UInt8], descriptor: CInt?)? {
        var bytes = [UInt8](repeating: 0, count: byteCount)
        var received: CInt?
        var done = 0
        while done < byteCount {
            let count = bytes[done...].withUnsafeMutableBytes { rest in
                var parts = iovec(iov_base: rest.baseAddress, iov_len: rest.count)
                var control = [UInt8](repeating: 0, count: Self.controlByteCount)
                return withUnsafeMutablePointer(to: &parts) { parts in
                    control.withUnsafeMutableBytes { control in
                        var message = msghdr()
                        message.msg_iov = parts
                        message.msg_iovlen = 1
                        if takesDescriptor {
                            message.msg_control = control.baseAddress
                            message.msg_controllen = Self.controlByteCount
                        }
                        let count = recvmsg(descriptor, &message, CInt(MSG_CMSG_CLOEXEC))
                        if count > 0, takesDescriptor, message.msg_controllen >= Self.controlLength,
                            let start = control.baseAddress,
                            start.load(fromByteOffset: 12, as: CInt.self) == CInt(SCM_RIGHTS)
                        {
                            received = start.load(fromByteOffset: 16, as: CInt.self)
                        }
                        return count
                    }
                }
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                if let received { close(received) }
                return nil
            }
            done += count
        }
        return (bytes, received)
    }
}
