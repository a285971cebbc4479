import NIOCore
import NIOHTTP1

/// Requests that wait: for a channel that has not begun, or for a part or a segment that is still to come.
extension RequestHandler {
    /// Keeps a request until its wait is over.
    func wait(_ waiting: Waiting, _ request: Request, since: NIODeadline, _ context: ChannelHandlerContext) {
        let bound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        let isOver: @Sendable () -> Void = { bound.value.handler.endWait(bound.value.context) }
        let stop = isQuiescing ? nil : waiting.begin(context.eventLoop, isOver)
        guard let stop else { return answer(request, waiting.reply(), since: since, context) }
        pending = Pending(request: request, since: since, wait: (waiting.reply, stop))
    }

    /// Answers the request that waits, if there is one.
    func endWait(_ context: ChannelHandlerContext) {
        guard let pending, let wait = pending.wait else { return }
        wait.stop()
        self.pending?.wait = nil
        conclude(wait.reply(), context)
    }

    /// True if no request waits for its answer, and more may come.
    var isFree: Bool { !isAnswering && hasReadAll && !reader.isLast }

    /// Gives the connection to the process that takes over, and the request that waits with it, if there is one.
    func handOver(_ context: ChannelHandlerContext) {
        guard isHandedOver else { return }
        if isFree { return context.triggerUserOutboundEvent(Handover.Due(), promise: nil) }
        // It may be the last request of the connection, after which nothing is read.
        guard let pending, pending.wait != nil, streamed == nil, rest == nil, hasReadAll else { return }
        let taken = context.eventLoop.makePromise(of: Void.self)
        taken.futureResult.assumeIsolated().whenSuccess { [self] in
            self.pending?.wait?.stop()
            self.pending = nil
        }
        let head = pending.request.encodedHead(isLegacy: !reader.takesChunks)
        context.triggerUserOutboundEvent(Handover.Due(request: head), promise: taken)
    }
}

extension Request {
    /// Encodes the head as a client would send it.
    ///
    /// - Parameter isLegacy: True if the client speaks HTTP/1.0.
    /// - Returns: The bytes, without a body.
    fileprivate func encodedHead(isLegacy: Bool) -> ByteBuffer {
        var bytes = ByteBuffer(string: "\(method.rawValue) \(target) HTTP/1.\(isLegacy ? 0 : 1)\r\n")
        // A body was read, and no answer that waits depends on it.
        let ofBody = ["content-length", "transfer-encoding", "trailer", "expect"]
        for (name, value) in fields where !ofBody.contains(name.lowercased()) {
            bytes.writeString("\(name): \(value)\r\n")
        }
        bytes.writeStaticString("\r\n")
        return bytes
    }
}
