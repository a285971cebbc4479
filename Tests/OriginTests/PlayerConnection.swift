import NIOCore
import NIOEmbedded
import NIOHPACK
import NIOHTTP2
import Testing

@testable import HTTPServing
@testable import Origin

/// A player's connection of HTTP/2 to the origin, without a network: its requests are answered side by side.
final class PlayerConnection {
    /// A response whose body is whole.
    struct Response {
        var status: String
        var fields: HPACKHeaders
        var body: ByteBuffer

        var text: String { String(buffer: body) }
    }

    private let server = EmbeddedChannel()
    private let client = EmbeddedChannel()
    private let gate = ConnectionGate(limits: .init(total: 1, perAddress: 1))
    private var heads: [HTTP2StreamID: HPACKHeaders] = [:]
    private var bodies: [HTTP2StreamID: ByteBuffer] = [:]
    private var whole: Set<HTTP2StreamID> = []
    private var requestCount = 0

    init(to responder: OriginResponder) throws {
        let handler = MultiplexHandler(
            connection: ServedConnection(pass: try #require(gate.admit(server)), isSecure: true),
            eventLoop: server.eventLoop,
            timeouts: ConnectionTimeouts(write: .seconds(60), linger: .seconds(5), shutdown: .seconds(10)),
            maximumHeadBytes: 16_384,
            date: DateField(),
            now: { Fixture.now }
        ) { responder }
        for channel in [server, client] {
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        }
        try server.pipeline.syncOperations.addMultiplexer(handler, maximumHeadBytes: 16_384)
        try client.pipeline.syncOperations.addHandler(NIOHTTP2Handler(mode: .client))
        try exchange()
    }

    deinit {
        _ = try? server.finish(acceptAlreadyClosed: true)
        _ = try? client.finish(acceptAlreadyClosed: true)
    }

    /// Sends a GET for a path of the channel.
    ///
    /// - Returns: The number of the request.
    func get(_ path: String) throws -> Int {
        let fields = [(":method", "GET"), (":path", "/live/\(path)"), (":scheme", "https"), (":authority", "x")]
        let payload = HTTP2Frame.FramePayload.headers(.init(headers: HPACKHeaders(fields), endStream: true))
        client.write(HTTP2Frame(streamID: Self.stream(requestCount), payload: payload), promise: nil)
        client.flush()
        requestCount += 1
        try exchange()
        return requestCount - 1
    }

    /// Returns the response to a request; nil while the origin holds it back, or some of it.
    func response(to request: Int) throws -> Response? {
        try exchange()
        let stream = Self.stream(request)
        guard whole.contains(stream), let head = heads[stream] else {
            #expect(heads[stream] == nil, "nothing of a response is sent before all can be")
            return nil
        }
        return Response(status: head.first(name: ":status") ?? "", fields: head, body: bodies[stream] ?? ByteBuffer())
    }

    func hasResponse(to request: Int) throws -> Bool { try response(to: request) != nil }

    /// Returns the response to a GET that is not to be held back.
    func got(_ path: String) throws -> Response {
        try #require(try response(to: try get(path)), "\(path)")
    }

    private static func stream(_ request: Int) -> HTTP2StreamID { HTTP2StreamID(2 * request + 1) }

    /// Has both sides say what they have to say.
    private func exchange() throws {
        var isSaid = false
        while !isSaid {
            isSaid = true
            while case .byteBuffer(let bytes)? = try client.readOutbound(as: IOData.self) {
                isSaid = false
                try server.writeInbound(bytes)
            }
            server.embeddedEventLoop.run()
            while case .byteBuffer(let bytes)? = try server.readOutbound(as: IOData.self) {
                isSaid = false
                try client.writeInbound(bytes)
            }
            while let frame = try client.readInbound(as: HTTP2Frame.self) { receive(frame) }
        }
    }

    private func receive(_ frame: HTTP2Frame) {
        switch frame.payload {
        case .headers(let headers):
            heads[frame.streamID] = headers.headers
            if headers.endStream { whole.insert(frame.streamID) }
        case .data(let data):
            guard case .byteBuffer(let bytes) = data.data else { return }
            bodies[frame.streamID, default: ByteBuffer()].writeImmutableBuffer(bytes)
            if data.endStream { whole.insert(frame.streamID) }
        default: break
        }
    }
}
