import MediaCore
import NIOCore
import NIOHPACK
import NIOHTTP1
import NIOHTTP2
import NIOPosix

/// The ways to an answer: at once, by a thread that may work or read a disk, by asking others, or by waiting for a
/// channel.
extension MultiplexHandler {
    /// Answers a request, or has its answer found.
    func answer(_ asked: StreamTable.Asked, _ reply: Reply, on id: HTTP2StreamID) {
        switch reply {
        case .answer(let answer): send(answer, to: asked, on: id)
        case .work(let work):
            streams.pends(asked, on: id)
            workOut(NIOThreadPool.singleton.runIfActive(eventLoop: eventLoop, work), for: id)
        case .reading(let readers, let work):
            let reading = StreamTable.Reading(readers: readers, client: asked.request.network, work: work)
            if streams.reads(reading, asked, on: id) { read(reading, on: id) }
        case .pending(let work):
            streams.pends(asked, on: id)
            askOthers({ .answer(await work()) }, for: id)
        case .asking(let work):
            streams.pends(asked, on: id)
            askOthers(work, for: id)
        case .waiting(let waiting): wait(waiting, asked, on: id)
        }
    }

    /// Reads the data of an answer.
    func read(_ reading: StreamTable.Reading, on id: HTTP2StreamID) {
        workOut(reading.readers.run(for: reading.client, on: eventLoop, reading.work), for: id)
    }

    private func workOut(_ answer: EventLoopFuture<Answer>, for id: HTTP2StreamID) {
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        answer.whenComplete { result in
            // It fails if the readers are busy, or the process ends; the answer is not read then.
            bound.value.conclude((try? result.get()).map(Reply.answer), on: id)
        }
    }

    private func askOthers(_ work: @escaping @Sendable () async -> Reply, for id: HTTP2StreamID) {
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        Task { [eventLoop] in
            let reply = await work()
            eventLoop.execute { bound.value.conclude(reply, on: id) }
        }
    }

    /// Continues a pending request, unless its client has left.
    ///
    /// Without a reply, all readers were busy.
    private func conclude(_ reply: Reply?, on id: HTTP2StreamID) {
        guard let asked = streams.concludes(id) else { return }
        answer(asked, reply ?? .answer(asked.responder.busy), on: id)
        context?.flush()
        settle()
    }

    // MARK: Waiting

    /// Keeps a request until its wait is over; see ``RequestHandler/wait(_:_:since:_:)``.
    private func wait(_ waiting: Waiting, _ asked: StreamTable.Asked, on id: HTTP2StreamID) {
        // The client sent it before it knew of the end: as with those that wait already.
        if streams.isAnnounced { return reset(id, .refusedStream) }
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        let stop = streams.isEnding ? nil : waiting.begin(eventLoop) { bound.value.endWait(id) }
        guard let stop else { return answer(asked, waiting.reply(), on: id) }
        streams.waits(asked, on: id, reply: waiting.reply, stop: stop)
    }

    /// Answers a request that waits, unless its client has left.
    private func endWait(_ id: HTTP2StreamID) {
        guard let (asked, reply, stop) = streams.endsWait(id) else { return }
        stop?()
        answer(asked, reply(), on: id)
        context?.flush()
        settle()
    }

    // MARK: Sending

    private func send(_ answer: Answer, to asked: StreamTable.Asked, on id: HTTP2StreamID) {
        let duration = Duration.nanoseconds((eventLoop.now - asked.since).nanoseconds)
        write(asked.responder.finish(answer, asked.request, duration: duration), on: id)
    }

    /// Writes an answer to its end, or begins a body that is written while it is made.
    func write(_ answer: Answer, on id: HTTP2StreamID) {
        if let stream = answer.stream { return begin(stream, of: answer, on: id) }
        write(HPACKHeaders(answer, date: date.text(at: now())), answer.body, on: id)
    }

    /// Writes a whole answer.
    func write(_ head: HPACKHeaders, _ body: ByteBuffer, on id: HTTP2StreamID) {
        let (sent, hasBody) = (end(id), body.readableBytes > 0)
        write(.headers(.init(headers: head, endStream: !hasBody)), on: id, promise: hasBody ? nil : sent)
        var rest = body
        while rest.readableBytes > ConnectionHandler.leastProgress,
            let piece = rest.readSlice(length: ConnectionHandler.leastProgress)
        {
            let taken = eventLoop.makePromise(of: Void.self)
            taken.futureResult.assumeIsolated().whenSuccess { [self] in streams.progresses(id, at: eventLoop.now) }
            write(.data(.init(data: .byteBuffer(piece))), on: id, promise: taken)
        }
        if hasBody { write(.data(.init(data: .byteBuffer(rest), endStream: true)), on: id, promise: sent) }
    }

    /// Notes that the last frame of an answer is about to be written.
    ///
    /// RFC 9113 § 8.1: the rest of the client's request is not needed, and the stream ends behind the
    /// answer.
    ///
    /// - Returns: A promise for the end; nil if the client has sent all.
    private func end(_ id: HTTP2StreamID) -> EventLoopPromise<Void>? {
        guard streams.answered(id, at: eventLoop.now) else { return nil }
        let sent = eventLoop.makePromise(of: Void.self)
        sent.futureResult.assumeIsolated().whenSuccess { [self] in reset(id, .noError) }
        return sent
    }

    // MARK: Streaming

    /// Begins an answer, and has its body written by a task of its own.
    private func begin(_ stream: @escaping Answer.Stream, of answer: Answer, on id: HTTP2StreamID) {
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        let write: Answer.Writer = { [eventLoop] bytes in
            try await withCheckedThrowingContinuation { writer in
                eventLoop.execute { bound.value.write(bytes, on: id, for: writer) }
            }
        }
        let task = Task { [eventLoop] in
            let isWhole = (try? await stream(write)) != nil
            eventLoop.execute { bound.value.finish(id, isWhole: isWhole) }
        }
        streams.streamsBody(on: id) { task.cancel() }
        let head = HPACKHeaders(answer, date: date.text(at: now()))
        self.write(.headers(.init(headers: head)), on: id)
    }

    /// Writes a part of a body; its writer continues once the client has taken it.
    private func write(_ bytes: ByteBuffer, on id: HTTP2StreamID, for writer: CheckedContinuation<Void, any Error>) {
        guard let context, streams.isStreamed(id) else { return writer.resume(throwing: CancellationError()) }
        guard bytes.readableBytes > 0 else { return writer.resume() }
        let taken = eventLoop.makePromise(of: Void.self)
        taken.futureResult.assumeIsolated().whenComplete { [self] result in
            guard case .success = result else { return writer.resume(throwing: CancellationError()) }
            streams.takes(id)
            writer.resume()
        }
        streams.offers(id, at: eventLoop.now)
        write(.data(.init(data: .byteBuffer(bytes))), on: id, promise: taken)
        context.flush()
        settle()
    }

    /// Ends a body; an incomplete one ends so that its client notices.
    private func finish(_ id: HTTP2StreamID, isWhole: Bool) {
        guard streams.isStreamed(id) else { return }
        guard isWhole else { return reset(id, .cancel) }
        write(.data(.init(data: .byteBuffer(ByteBuffer()), endStream: true)), on: id, promise: end(id))
        context?.flush()
        settle()
    }
}
