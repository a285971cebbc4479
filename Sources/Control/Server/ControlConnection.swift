import HTTPServing
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import NIOHTTPTypesHTTP2

/// One connection of HTTP/1.1 of the operator face, or one stream of HTTP/2: Hummingbird reads its requests, and the router
/// answers them.
struct ControlConnection: HTTPChannelHandler {
    typealias Value = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    let responder: HTTPChannelHandler.Responder
    /// How long it may be open without a request.
    let idleTimeout: Duration
    /// How long the body of a request may take to arrive.
    let bodyTimeout: Duration
    let connection: ServedConnection

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture { try setUp(channel, logger) }
    }

    func setUp(_ channel: any Channel, _ logger: Logger) throws -> Value {
        let pipeline = channel.pipeline.syncOperations
        var configuration = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>.Configuration()
        switch connection.kind {
        case .connection:
            try pipeline.addHandler(HTTPResponseEncoder())
            try pipeline.addHandler(
                PersistenceHandler(pass: connection.pass, bodyTimeout: bodyTimeout, rejection: Self.rejection)
            )
            try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: connection.isSecure))
            configuration.isOutboundHalfClosureEnabled = true
        case .stream:
            try pipeline.addHandler(HTTP2FramePayloadToHTTPServerCodec())
        }
        try pipeline.addHandler(HTTPConnectionStateHandler(idleTimeout: idleTimeout, logger: logger))
        return try NIOAsyncChannel(wrappingChannelSynchronously: channel, configuration: configuration)
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
