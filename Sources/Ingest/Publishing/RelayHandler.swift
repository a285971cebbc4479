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
    private var ways: [SRTGate.Caller: Way] = [:]
    private let start = ContinuousClock.now

    /// The way from one caller to the listener.
    private struct Way {
        let caller: SocketAddress
        var channel: (any Channel)?
        /// Datagrams that came before the socket was there.
        var waiting: [ByteBuffer] = []
    }

    /// Packets that wait for a socket: of an induction that is said again.
    private static let mostWaiting = 4

    init(_ gate: SRTGate, channel: any Channel, refusals: RefusalReporter) {
        self.gate = gate
        self.channel = channel
        self.refusals = refusals
    }

    /// The listener has another port: what came for the one before is of no use to it.
    func listenerMoved(to port: Int) {
        listener = try? SocketAddress(ipAddress: "127.0.0.1", port: port)
        gate.reopened()
        closeWays { _ in false }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let envelope = unwrapInboundIn(data)
        guard let address = envelope.remoteAddress.ipAddress, let port = envelope.remoteAddress.port else { return }
        let caller = SRTGate.Caller(address: address, port: port)
        let now = MediaTime(ticks: Int64((ContinuousClock.now - start) / .microseconds(1) * 0.09))
        perform(gate.received(envelope.data, from: caller, at: now), for: caller, at: envelope.remoteAddress)
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
        for way in ways.values { way.channel?.flush() }
    }

    func channelInactive(context: ChannelHandlerContext) { closeWays { _ in false } }

    /// An error of one datagram is not one of the socket.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {}

    private func forward(_ data: ByteBuffer, from caller: SRTGate.Caller, at address: SocketAddress) {
        guard let listener else { return }
        if let way = ways[caller] {
            if let channel = way.channel {
                channel.write(AddressedEnvelope(remoteAddress: listener, data: data), promise: nil)
            } else if way.waiting.count < Self.mostWaiting {
                ways[caller]?.waiting.append(data)
            }
            return
        }
        let known = gate.known
        closeWays { known.contains($0) }
        ways[caller] = Way(caller: address, waiting: [data])
        let handler = NIOLoopBound(self, eventLoop: channel.eventLoop)
        CallerSocket.bootstrap(channel.eventLoop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(WayHandler(caller: caller, relay: handler.value))
                }
            }
            .bind(host: "127.0.0.1", port: 0)
            .whenSuccess { handler.value.opened($0, for: caller) }
    }

    private func opened(_ channel: any Channel, for caller: SRTGate.Caller) {
        guard let waiting = ways[caller]?.waiting, let listener, ways[caller]?.channel == nil else {
            return channel.close(promise: nil)
        }
        ways[caller]?.channel = channel
        ways[caller]?.waiting = []
        for data in waiting { channel.write(AddressedEnvelope(remoteAddress: listener, data: data), promise: nil) }
        channel.flush()
    }

    /// The listener has something to say to a caller.
    fileprivate func answered(_ envelope: AddressedEnvelope<ByteBuffer>, to caller: SRTGate.Caller) {
        guard envelope.remoteAddress == listener, let way = ways[caller] else { return }
        perform(gate.answered(envelope.data, to: caller), for: caller, at: way.caller)
    }

    fileprivate func answersEnded(for caller: SRTGate.Caller) {
        channel.flush()
        ways[caller]?.channel?.flush()
    }

    private func closeWays(unless isKept: (SRTGate.Caller) -> Bool) {
        for (caller, way) in ways where !isKept(caller) {
            way.channel?.close(promise: nil)
            ways[caller] = nil
        }
    }
}

/// Passes answers of the listener back to one caller.
private final class WayHandler: ChannelInboundHandler {
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
