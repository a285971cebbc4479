import Glibc
import NIOCore

/// Pauses accepting while no descriptor is left in the process or the system, or while all connections are taken.
///
/// The kernel keeps reporting a waiting connection, and NIO would retry without end: its `AcceptBackoffHandler` delays
/// new reads, but the failed one stays requested. So the server ignores the kernel for a while; new clients wait in the
/// kernel's queue.
final class AcceptHandler: ChannelInboundHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel

    private let gate: ConnectionGate
    private var isResting = false
    private var waking: Scheduled<Void>?
    private var checking: RepeatedTask?

    /// The pause before it accepts again: long enough to cost nothing, short enough that no client's attempt times out.
    private static let rest = TimeAmount.milliseconds(200)
    /// This pause is short, because a connection that gives up its place is closed as soon as its thread runs.
    private static let shortRest = TimeAmount.milliseconds(10)

    /// - Parameter gate: Gets the failure, and the time.
    init(gate: ConnectionGate) {
        self.gate = gate
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let gate = gate
        checking = context.eventLoop.scheduleRepeatedTask(initialDelay: .seconds(1), delay: .seconds(1)) { _ in
            gate.check()
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        checking?.cancel()
        waking?.cancel()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        gate.accepted(unwrapInboundIn(data))
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        if gate.isCrowded { rest(context, for: Self.shortRest) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let code = (error as? IOError)?.errnoCode, [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code) else {
            return context.fireErrorCaught(error)
        }
        guard !isResting else { return }
        gate.reached(.descriptors)
        rest(context, for: Self.rest)
    }

    private func rest(_ context: ChannelHandlerContext, for time: TimeAmount) {
        guard !isResting else { return }
        isResting = true
        let channel = NIOLoopBound(context.channel, eventLoop: context.eventLoop)
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        // This runs during a read, and the rest of the read must find the option unchanged. The end of the pause is
        // only scheduled then, because a busy loop may run a due task before this one.
        context.eventLoop.execute {
            _ = channel.value.setOption(.autoRead, value: false)
            handler.value.wake(channel, after: time)
        }
    }

    private func wake(_ channel: NIOLoopBound<any Channel>, after time: TimeAmount) {
        let handler = NIOLoopBound(self, eventLoop: channel.eventLoop)
        waking = channel.eventLoop.scheduleTask(in: time) {
            guard !handler.value.gate.isCrowded else { return handler.value.wake(channel, after: Self.shortRest) }
            handler.value.isResting = false
            _ = channel.value.setOption(.autoRead, value: true)
        }
    }
}
