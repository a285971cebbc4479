import NIOCore
import NIOHTTP1

/// Answers whose body is written while it is made, as events are.
extension RequestHandler {
    /// Bytes of memory that pieces of bodies may take which wait while an answer is written.
    private static let mostWaitingBytes = 65_536

    /// True if a body is streamed, since reading shows that the client leaves.
    ///
    /// The bytes that it sends meanwhile are bounded.
    var listens: Bool {
        guard streamed != nil, arrivals.count < Self.mostArrivals else { return false }
        // A piece keeps all that was read with it.
        let waiting = arrivals.reduce(0) { sum, arrival in
            if case .part(.body(let bytes)) = arrival { sum + bytes.storageCapacity } else { sum }
        }
        return waiting <= Self.mostWaitingBytes
    }

    /// Begins an answer, and has its body written by a task of its own.
    func begin(_ stream: @escaping Answer.Stream, of answer: Answer, _ context: ChannelHandlerContext) {
        // If the head names the length, the client sees the end by itself (RFC 9112 § 6.2).
        let isChunked = reader.takesChunks && answer.streamByteCount == nil
        let body = StreamedBody(isChunked: isChunked, closes: reader.isLast || isQuiescing)
        var answer = answer
        if body.isChunked { answer.fields.add(name: "Transfer-Encoding", value: "chunked") }
        writeHead(answer, closes: body.closes, context)
        context.flush()
        streamed = body
        let bound = NIOLoopBound((handler: self, context: context, body: body), eventLoop: context.eventLoop)
        let eventLoop = context.eventLoop
        let write: Answer.Writer = { bytes in
            try await withCheckedThrowingContinuation { writer in
                eventLoop.execute {
                    let (handler, context, body) = bound.value
                    handler.write(bytes, of: body, for: writer, context)
                }
            }
        }
        body.begin(
            Task {
                let isWhole = (try? await stream(write)) != nil
                eventLoop.execute {
                    let (handler, context, body) = bound.value
                    handler.end(body, isWhole: isWhole, context)
                }
            }
        )
        readIfDue(context)
    }

    private func write(
        _ bytes: ByteBuffer,
        of body: StreamedBody,
        for writer: CheckedContinuation<Void, any Error>,
        _ context: ChannelHandlerContext
    ) {
        if streamed === body, bytes.readableBytes > 0 {
            let size = String(bytes.readableBytes, radix: 16) + "\r\n"
            if body.isChunked { write(size, context) }
            context.write(wrapOutboundOut(.byteBuffer(bytes)), promise: nil)
            if body.isChunked { write("\r\n", context) }
            context.flush()
        }
        // The connection may have ended meanwhile, with this write as well.
        guard streamed === body else { return writer.resume(throwing: CancellationError()) }
        if context.channel.isWritable { writer.resume() } else { body.hold(writer) }
    }

    /// Ends an answer; an incomplete one ends so that its client notices.
    private func end(_ body: StreamedBody, isWhole: Bool, _ context: ChannelHandlerContext) {
        guard streamed === body else { return }
        streamed = nil
        lastActivity = .now()
        guard isWhole else { return context.close(promise: nil) }
        if body.isChunked { write("0\r\n\r\n", context) }
        wasAnswered(closes: body.closes || isQuiescing, context)
        resume(context)
    }

    private func write(_ text: String, _ context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(.byteBuffer(context.channel.allocator.buffer(string: text))), promise: nil)
    }
}
