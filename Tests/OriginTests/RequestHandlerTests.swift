import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import HTTPServing
@testable import Origin

@Suite struct RequestHandlerTests {
    private let channel = EmbeddedChannel()
    private let gate = ConnectionGate(limits: .init(total: 1, perAddress: 1))

    init() throws {
        let handler = RequestHandler(
            responder: try Fixture.server().responder,
            configuration: OriginConfiguration(port: 0),
            connection: ServedConnection(
                kind: .connection,
                pass: try #require(gate.admit(channel)),
                isSecure: false
            ),
            date: DateField(),
            now: { Fixture.now }
        )
        try channel.pipeline.syncOperations.addHandler(handler)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    private func request(_ number: Int) throws {
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/none-\(number)", headers: ["Host": "x"])
        try channel.writeInbound(HTTPServerRequestPart.head(head))
        try channel.writeInbound(HTTPServerRequestPart.end(nil))
    }

    private func setWritable(_ isWritable: Bool) {
        channel.isWritable = isWritable
        channel.pipeline.fireChannelWritabilityChanged()
        channel.embeddedEventLoop.run()
    }

    /// Heads of answers that were written since this was asked last.
    private func answers() throws -> Int {
        var count = 0
        while let data = try channel.readOutbound(as: IOData.self) {
            guard case .byteBuffer(let bytes) = data else { continue }
            count += String(buffer: bytes).ranges(of: "HTTP/1.1 ").count
        }
        return count
    }

    /// A client that takes nothing cannot have any number of requests kept.
    @Test func onlySoManyRequestsWaitAndTheConnectionEnds() throws {
        try request(0)
        #expect(try answers() == 1)
        setWritable(false)
        for number in 1...2000 { try request(number) }
        #expect(try answers() == 0)
        setWritable(true)
        #expect(try answers() == RequestHandler.mostArrivals / 2)
        #expect(!channel.isActive)
    }

    @Test func asManyAsMayWaitAreAnsweredAndTheConnectionStays() throws {
        setWritable(false)
        for number in 1...RequestHandler.mostArrivals / 2 { try request(number) }
        setWritable(true)
        #expect(try answers() == RequestHandler.mostArrivals / 2)
        try request(0)
        #expect(try answers() == 1)
        #expect(channel.isActive)
        _ = try channel.finish()
    }
}
