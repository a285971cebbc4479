import NIOCore
import NIOPosix

/// A peer that answers each path with bytes of its own, and closes the connection after each answer.
enum CannedPeer {
    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let answer: @Sendable (String) -> String?

        init(_ answer: @escaping @Sendable (String) -> String?) {
            self.answer = answer
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let request = String(buffer: unwrapInboundIn(data))
            let path = request.split(separator: " ").dropFirst().first.map(String.init)
            // Who has no answer is silent.
            guard let path, let answer = answer(path) else { return }
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer)), promise: nil)
            context.close(promise: nil)
        }
    }

    /// An answer that says how long it is.
    static func answer(_ body: String, status: String = "200 OK") -> String {
        "HTTP/1.1 \(status)\r\ncontent-length: \(body.utf8.count)\r\nconnection: close\r\n\r\n\(body)"
    }

    /// - Parameters:
    ///   - answer: What a path is answered with, head and all; nil for nothing at all.
    ///   - body: Gets the origin's URL.
    /// - Throws: What it throws.
    static func serve(
        _ answer: @escaping @Sendable (String) -> String?,
        _ body: (String) async throws -> Void
    ) async throws {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Handler(answer))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        try await body("http://127.0.0.1:\(server.localAddress?.port ?? 0)")
        try await server.close()
    }
}
