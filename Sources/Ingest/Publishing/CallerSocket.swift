import Glibc
import NIOCore
import NIOPosix

/// The socket for SRT callers: datagrams that its ``CallerGate`` admits go to libavformat's listener.
///
/// libavformat accepts the first caller, and reveals neither its request nor its address.
final class CallerSocket: Sendable {
    private let channel: any Channel
    private let handler: NIOLoopBound<RelayHandler>

    /// The bytes of a socket's buffer; the kernel may grant less.
    private static let room: ChannelOptions.Types.SocketOption.Value = 2 << 20
    private static let datagramSize = 2_048
    private static let batch = 30

    /// - Parameters:
    ///   - gate: The socket, and the callers that are let in.
    ///   - refusals: Gets the refused callers.
    /// - Throws: An error if the address cannot be listened on.
    init(_ gate: CallerGate, refusals: RefusalReporter) throws(FFmpegError) {
        let loop = PublishingServer.group.next()
        do {
            let (channel, handler) = try Self.bootstrap(loop)
                .bind(host: gate.socket.host, port: gate.socket.port)
                .flatMapThrowing { channel in
                    let handler = RelayHandler(gate.decisions, channel: channel, refusals: refusals)
                    try channel.pipeline.syncOperations.addHandler(handler)
                    return (channel, NIOLoopBound(handler, eventLoop: loop))
                }
                .wait()
            (self.channel, self.handler) = (channel, handler)
        } catch let error as IOError {
            throw FFmpegError(code: FFmpegError.posix(error.errnoCode), operation: "open")
        } catch {
            throw FFmpegError(code: FFmpegError.addressNotAvailable, operation: "open")
        }
    }

    static func bootstrap(_ loop: any EventLoop) -> DatagramBootstrap {
        DatagramBootstrap(group: loop)
            .channelOption(.socketOption(.so_rcvbuf), value: room)
            .channelOption(.datagramVectorReadMessageCount, value: batch)
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: datagramSize * batch))
    }

    /// Gives the address up; not to be called on the thread of a connection.
    func close() { try? channel.close().wait() }

    /// Prepares for libavformat's next listener.
    ///
    /// - Returns: The port of 127.0.0.1 for the listener.
    /// - Throws: An error if there is none.
    func nextListener() throws(FFmpegError) -> Int {
        let port = try Self.freePort()
        try? channel.eventLoop.submit { [handler] in handler.value.listenerMoved(to: port) }.wait()
        return port
    }

    /// Returns a free UDP port.
    private static func freePort() throws(FFmpegError) -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { Glibc.close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                let result = unsafe bind(descriptor, address, length)
                return result == 0 ? unsafe getsockname(descriptor, address, &length) : result
            }
        }
        guard result == 0 else { throw FFmpegError(code: FFmpegError.posix(errno), operation: "open") }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
