import NIOCore

/// Requests that wait, as those for channels that have not begun.
extension RequestHandler {
    /// Keeps a request until its wait is over, since a player that is refused at its start gives up, and one that gets too
    /// little may stop for good.
    func wait(_ waiting: Waiting, _ request: Request, since: NIODeadline, _ context: ChannelHandlerContext) {
        let bound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        let eventLoop = context.eventLoop
        let stop = waiting.begin {
            eventLoop.execute { bound.value.handler.askAgain(bound.value.context) }
        }
        guard let stop, !isQuiescing else {
            return send(waiting.refusal, to: request, since: since, context)
        }
        let patience = eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(waiting.patience)) {
            self.askAgain(context)
        }
        pending = Pending(request: request, since: since, refusal: waiting.refusal) {
            patience.cancel()
            stop()
        }
    }

    /// Answers a request that has waited with what there is by now, even if it is less than a player wants to begin
    /// with.
    func askAgain(_ context: ChannelHandlerContext) {
        guard let pending, let refusal = pending.refusal else { return }
        guard case .answer(let reply) = responder.verdict(on: pending.request) else {
            return conclude(refusal, context)
        }
        switch reply {
        case .answer(let answer): conclude(answer, context)
        case .waiting: conclude(refusal, context)
        case .work, .reading, .pending:
            // The answer is on its way: nothing is waited for any more but that.
            pending.stopWaiting()
            self.pending = nil
            answer(pending.request, reply, since: pending.since, context)
        }
    }
}
