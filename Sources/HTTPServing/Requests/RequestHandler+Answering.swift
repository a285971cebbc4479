import NIOCore
import NIOHTTP1
import NIOPosix

/// The ways to an answer: at once, by a thread that may work or read a disk, by asking others, or by waiting for a channel.
extension RequestHandler {
    /// Answers a request, or has its answer found.
    func answer(_ request: Request, _ reply: Reply, since: NIODeadline, _ context: ChannelHandlerContext) {
        switch reply {
        case .answer(let answer): send(answer, to: request, since: since, context)
        case .work(let work):
            let answer = NIOThreadPool.singleton.runIfActive(eventLoop: context.eventLoop, work)
            workOut(answer, Pending(request: request, since: since), context)
        case .reading(let readers, let work):
            let answer = readers.run(for: request.network, on: context.eventLoop, work)
            workOut(answer, Pending(request: request, since: since), context)
        case .pending(let work):
            askOthers({ .answer(await work()) }, Pending(request: request, since: since), context)
        case .asking(let work): askOthers(work, Pending(request: request, since: since), context)
        case .waiting(let waiting): wait(waiting, request, since: since, context)
        }
    }

    private func workOut(_ answer: EventLoopFuture<Answer>, _ pending: Pending, _ context: ChannelHandlerContext) {
        self.pending = pending
        let bound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        answer.whenComplete { result in
            let (handler, context) = bound.value
            // It fails if the readers are busy, or the process ends; the answer is not read then.
            handler.conclude((try? result.get()) ?? handler.responder.busy, context)
        }
    }

    private func askOthers(
        _ work: @escaping @Sendable () async -> Reply,
        _ pending: Pending,
        _ context: ChannelHandlerContext
    ) {
        self.pending = pending
        let bound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        let eventLoop = context.eventLoop
        Task {
            let reply = await work()
            eventLoop.execute { bound.value.handler.conclude(reply, bound.value.context) }
        }
    }
}
