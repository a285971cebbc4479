import Glibc
import NIOCore

/// Rests where no connection can be accepted because the process, or the system, has no descriptor left, and where as many
/// are open as may be.
///
/// The kernel keeps saying that a connection waits, and NIO would try without end (its own `AcceptBackoffHandler` delays
/// reads that are asked for, while the failed one stays asked for). So the server stops listening to the kernel for a
/// while; who connects meanwhile waits in the kernel's queue.
final class AcceptHandler: ChannelInboundHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel

    private let gate: ConnectionGate
    private var isResting = false
    private var waking: Scheduled<Void>?
    private var checking: RepeatedTask?

    /// The pause before it accepts again: long enough to cost nothing, short enough that no client's attempt times out.
    private static let rest = TimeAmount.milliseconds(200)
    /// Short, since a connection that has to make room is closed as soon as its thread comes to it.
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
        // We are in the middle of a read: what follows of it must find the option as it was. The end of the rest is
        // asked for only then, for a busy loop may come to a task that is due before it comes to this one.
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
