import NIOCore
import NIOHTTP1

/// Answers on streams of HTTP/2.
extension RequestHandler {
    func writeHead(_ answer: Answer, _ context: ChannelHandlerContext) {
        var fields = answer.fields
        fields.add(name: "Date", value: date.text(at: now()))
        fields.add(name: "Server", value: "packager")
        let head = HTTPResponseHead(version: .http2, status: answer.status, headers: fields)
        context.write(Self.part(.head(head)), promise: nil)
    }

    func endStream(_ context: ChannelHandlerContext) {
        let sent = context.eventLoop.makePromise(of: Void.self)
        if reader.isLast {
            // What follows of the request is not waited for.
            reader.close()
            sent.futureResult.assumeIsolated().whenComplete { _ in context.close(mode: .output, promise: nil) }
        }
        context.writeAndFlush(Self.part(.end(nil)), promise: sent)
    }

    /// The data that the codec of a stream takes; a connection takes bytes.
    static func part(_ part: HTTPServerResponsePart) -> NIOAny { NIOAny(part) }
}
