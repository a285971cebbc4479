import NIOCore
import Presentation

/// Requests for channels that have not begun.
extension RequestHandler {
    /// Keeps a request until its channel has published enough, since a player that is refused at its start gives up, and
    /// one that gets too little may stop for good.
    func wait(
        for presentation: Presentation,
        _ request: OriginRequest,
        since: NIODeadline,
        otherwise refusal: Answer,
        _ context: ChannelHandlerContext
    ) {
        let bound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        let eventLoop = context.eventLoop
        let waiter = presentation.whenStartable {
            eventLoop.execute { bound.value.handler.askAgain(bound.value.context) }
        }
        guard let waiter, !isQuiescing else {
            return send(refusal, to: request, since: since, context)
        }
        let patience = eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(configuration.startPatience)) {
            self.askAgain(context)
        }
        pending = Pending(request: request, since: since, refusal: refusal) {
            patience.cancel()
            presentation.stopWaiting(waiter)
        }
    }

    /// Whoever has waited gets what there is by now, even if it is less than a player wants to begin with.
    func askAgain(_ context: ChannelHandlerContext) {
        guard let pending, let refusal = pending.refusal else { return }
        if case .answer(let answer) = responder.reply(to: pending.request) {
            conclude(answer, context)
        } else {
            conclude(refusal, context)
        }
    }
}
