import MediaCore
import NIOCore
import NIOEmbedded
import NIOHPACK
import NIOHTTP2
import Testing

@testable import HTTPServing

/// A connection of HTTP/2 between a client and what answers its requests, without a network.
///
/// The client does nothing by itself but what the protocol demands: it opens no window.
final class MultiplexedConnection {
    let server = EmbeddedChannel()
    let client = EmbeddedChannel()
    /// Has one place.
    let gate = ConnectionGate(limits: .init(total: 1, perAddress: 1))
    private var frames: [HTTP2Frame] = []
    /// Bytes of bodies that the client has got, by stream.
    private(set) var bodies: [HTTP2StreamID: ByteBuffer] = [:]

    static let timeouts = ConnectionTimeouts(write: .seconds(60), linger: .seconds(5), shutdown: .seconds(10))

    /// - Parameters:
    ///   - verdict: The decision on every request.
    ///   - prepared: The answer to every plain GET; nil for that of the verdict.
    ///   - window: The bytes of each answer that the client takes at first.
    ///   - validates: True if the client sends no malformed requests.
    /// - Throws: An error if there can be no such connection.
    init(
        _ verdict: Verdict = .answer(.answer(.text("whole"))),
        prepared: PreparedAnswer? = nil,
        window: Int = 65_535,
        validates: Bool = true
    ) throws {
        let handler = MultiplexHandler(
            connection: ServedConnection(pass: try #require(gate.admit(server)), isSecure: true),
            eventLoop: server.eventLoop,
            timeouts: Self.timeouts,
            maximumHeadBytes: 16_384,
            date: DateField(),
            now: { .zero }
        ) { FixedResponder(verdict, prepared: prepared) }
        for channel in [server, client] {
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        }
        try server.pipeline.syncOperations.addMultiplexer(handler, maximumHeadBytes: 16_384)
        try client.pipeline.syncOperations.addHandler(
            NIOHTTP2Handler(
                mode: .client,
                initialSettings: [HTTP2Setting(parameter: .initialWindowSize, value: window)],
                headerBlockValidation: validates ? .enabled : .disabled,
                contentLengthValidation: validates ? .enabled : .disabled
            )
        )
        try exchange()
    }

    deinit {
        _ = try? server.finish(acceptAlreadyClosed: true)
        _ = try? client.finish(acceptAlreadyClosed: true)
    }

    /// True if another connection would take its place.
    var givesWay: Bool { gate.admit(EmbeddedChannel()) != nil }

    /// Has both sides say what they have to say.
    func exchange() throws {
        var isSaid = false
        while !isSaid {
            isSaid = true
            while case .byteBuffer(let bytes)? = try client.readOutbound(as: IOData.self) {
                isSaid = false
                if server.isActive { try server.writeInbound(bytes) }
            }
            server.embeddedEventLoop.run()
            while case .byteBuffer(let bytes)? = try server.readOutbound(as: IOData.self) {
                isSaid = false
                try client.writeInbound(bytes)
            }
            while let frame = try client.readInbound(as: HTTP2Frame.self) { frames.append(frame) }
        }
    }

    func send(_ payload: HTTP2Frame.FramePayload, on id: HTTP2StreamID) throws {
        client.write(HTTP2Frame(streamID: id, payload: payload), promise: nil)
        client.flush()
        try exchange()
    }

    func request(
        _ method: String = "GET",
        on id: HTTP2StreamID,
        fields: [(String, String)] = [(":authority", "x")],
        isWhole: Bool = true
    ) throws {
        let head = HPACKHeaders([(":method", method), (":path", "/"), (":scheme", "https")] + fields)
        try send(.headers(.init(headers: head, endStream: isWhole)), on: id)
    }

    func body(_ bytes: ByteBuffer, on id: HTTP2StreamID, isLast: Bool = false) throws {
        try send(.data(.init(data: .byteBuffer(bytes), endStream: isLast)), on: id)
    }

    func pass(_ seconds: Int64) throws {
        server.embeddedEventLoop.advanceTime(by: .seconds(seconds))
        try exchange()
    }

    /// The frames that have come since the last call, in words.
    func received() -> [String] {
        defer { frames = [] }
        return frames.compactMap { frame in
            let id = Int(frame.streamID)
            switch frame.payload {
            case .headers(let headers):
                return "\(id) \(headers.headers.first(name: ":status") ?? "")" + (headers.endStream ? " end" : "")
            case .data(let data):
                guard case .byteBuffer(let bytes) = data.data else { return nil }
                bodies[frame.streamID, default: ByteBuffer()].writeImmutableBuffer(bytes)
                return "\(id) \(bytes.readableBytes) bytes" + (data.endStream ? " end" : "")
            case .rstStream(let code): return "\(id) reset \(code.networkCode)"
            case .goAway(let last, let code, _): return "goaway \(Int(last)) \(code.networkCode)"
            case .windowUpdate(let count): return "\(id) window \(count)"
            default: return nil
            }
        }
    }

    /// The fields of the first head that has come since the last call.
    func fields() -> HPACKHeaders? {
        defer { frames = [] }
        for case .headers(let headers) in frames.map(\.payload) { return headers.headers }
        return nil
    }
}
