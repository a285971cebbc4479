import HTTPServing
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// One HTTP/1.1 connection of the operator face: Hummingbird reads its requests, and the router answers them.
struct ControlConnection: HTTPChannelHandler {
    typealias Value = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    let responder: HTTPChannelHandler.Responder
    /// How long it may be open without a request.
    let idleTimeout: Duration
    let pass: ConnectionGate.Pass

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture { try setUp(channel, logger) }
    }

    func setUp(_ channel: any Channel, _ logger: Logger) throws -> Value {
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(HTTPResponseEncoder())
        try pipeline.addHandler(PersistenceHandler(pass: pass, rejection: Self.rejection))
        try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
        try pipeline.addHandler(HTTPConnectionStateHandler(idleTimeout: idleTimeout, logger: logger))
        return try NIOAsyncChannel(
            wrappingChannelSynchronously: channel,
            configuration: .init(isOutboundHalfClosureEnabled: true)
        )
    }

    func handle(value: Value, logger: Logger) async {
        await handleHTTP(asyncChannel: value, logger: logger)
    }

    /// The answer to what is no HTTP.
    private static func rejection(_ status: HTTPResponseStatus) -> (fields: HTTPHeaders, body: ByteBuffer) {
        let body = ByteBuffer(string: status.reasonPhrase.lowercased() + "\n")
        let fields: HTTPHeaders = [
            "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store",
            "Content-Length": "\(body.readableBytes)",
        ]
        return (fields, body)
    }
}
