import MediaCore
import NIOCore
import NIOPosix
import Publishing

/// Relays datagrams between callers and the listener behind the gate, by a socket of its own for each caller.
final class RelayHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private var gate: SRTGate
    private let channel: any Channel
    private let refusals: RefusalReporter
    /// The address of the reader's own listener; nil while it does not listen.
    private var listener: SocketAddress?
    private var paths: [SRTGate.Caller: RelayPath] = [:]
    /// The sender of the last datagram.
    private var last: (address: SocketAddress, caller: SRTGate.Caller)?
    private let start = ContinuousClock.now

    /// The connection of one caller with the listener.
    private struct RelayPath {
        let caller: SocketAddress
        var channel: (any Channel)?
        /// Datagrams that came before the socket was there.
        var waiting: [ByteBuffer] = []
    }

    /// The most packets that wait for a socket: of a repeated induction.
    private static let mostWaiting = 4

    init(_ gate: SRTGate, channel: any Channel, refusals: RefusalReporter) {
        self.gate = gate
        self.channel = channel
        self.refusals = refusals
    }

    /// Relays to another port of the listener, and closes the connections with the one before.
    func listenerMoved(to port: Int) {
        listener = try? SocketAddress(ipAddress: "127.0.0.1", port: port)
        gate.reopened()
        closePaths { _ in false }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let envelope = unwrapInboundIn(data)
        guard let caller = caller(at: envelope.remoteAddress) else { return }
        let now = MediaTime(ContinuousClock.now - start)
        perform(gate.received(envelope.data, from: caller, at: now), for: caller, at: envelope.remoteAddress)
    }

    /// Returns the caller at an address; nil if it has none.
    ///
    /// The last one is kept: nearly all datagrams come from it.
    private func caller(at address: SocketAddress) -> SRTGate.Caller? {
        if let last, last.address == address { return last.caller }
        guard let host = address.ipAddress, let port = address.port else { return nil }
        let caller = SRTGate.Caller(address: host, port: port)
        last = (address, caller)
        return caller
    }

    private func perform(_ decision: SRTGate.Decision, for caller: SRTGate.Caller, at address: SocketAddress) {
        if let refusal = decision.refusal { refusals.refused(caller.address, port: caller.port, reason: refusal) }
        if let crowd = decision.displacement { refusals.crowded(by: crowd.network, held: crowd.held) }
        switch decision.verdict {
        case .forward(let bytes): forward(bytes, from: caller, at: address)
        case .answer(let bytes): channel.write(AddressedEnvelope(remoteAddress: address, data: bytes), promise: nil)
        case .drop: break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.flush()
        for path in paths.values { path.channel?.flush() }
    }

    func channelInactive(context: ChannelHandlerContext) { closePaths { _ in false } }

    /// Ignores the error of one datagram, which is not one of the socket.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {}

    private func forward(_ data: ByteBuffer, from caller: SRTGate.Caller, at address: SocketAddress) {
        guard let listener else { return }
        if let path = paths[caller] {
            if let channel = path.channel {
                channel.write(AddressedEnvelope(remoteAddress: listener, data: data), promise: nil)
            } else if path.waiting.count < Self.mostWaiting {
                paths[caller]?.waiting.append(data)
            }
            return
        }
        let known = gate.known
        closePaths { known.contains($0) }
        paths[caller] = RelayPath(caller: address, waiting: [data])
        let handler = NIOLoopBound(self, eventLoop: channel.eventLoop)
        CallerSocket.bootstrap(channel.eventLoop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AnswerHandler(caller: caller, relay: handler.value))
                }
            }
            .bind(host: "127.0.0.1", port: 0)
            .whenSuccess { handler.value.opened($0, for: caller) }
    }

    private func opened(_ channel: any Channel, for caller: SRTGate.Caller) {
        guard let waiting = paths[caller]?.waiting, let listener, paths[caller]?.channel == nil else {
            return channel.close(promise: nil)
        }
        paths[caller]?.channel = channel
        paths[caller]?.waiting = []
        for data in waiting { channel.write(AddressedEnvelope(remoteAddress: listener, data: data), promise: nil) }
        channel.flush()
    }

    /// Passes a datagram of the listener to its caller.
    fileprivate func answered(_ envelope: AddressedEnvelope<ByteBuffer>, to caller: SRTGate.Caller) {
        guard envelope.remoteAddress == listener, let path = paths[caller] else { return }
        perform(gate.answered(envelope.data, to: caller), for: caller, at: path.caller)
    }

    fileprivate func answersEnded(for caller: SRTGate.Caller) {
        channel.flush()
        paths[caller]?.channel?.flush()
    }

    private func closePaths(unless isKept: (SRTGate.Caller) -> Bool) {
        for (caller, path) in paths where !isKept(caller) {
            path.channel?.close(promise: nil)
            paths[caller] = nil
        }
    }
}

/// Passes answers of the listener back to one caller.
private final class AnswerHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private let caller: SRTGate.Caller
    private let relay: RelayHandler

    init(caller: SRTGate.Caller, relay: RelayHandler) {
        self.caller = caller
        self.relay = relay
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { relay.answered(unwrapInboundIn(data), to: caller) }

    func channelReadComplete(context: ChannelHandlerContext) { relay.answersEnded(for: caller) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}
