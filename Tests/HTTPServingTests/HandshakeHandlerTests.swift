import NIOCore
import NIOEmbedded
import NIOTLS
import Testing

@testable import HTTPServing

@Suite struct HandshakeHandlerTests {
    private final class Agreed {
        var protocols: [String?] = []
    }

    private struct Failure: Error {}

    private static func connection(
        _ setUp: @escaping (String?) throws -> Void
    ) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handler: HandshakeHandler(timeout: .seconds(10), setUp: setUp))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        return channel
    }

    @Test(arguments: ["h2", "http/1.1", nil]) func whatWasAgreedOnIsSetUp(negotiated: String?) throws {
        let agreed = Agreed()
        let channel = try Self.connection { agreed.protocols.append($0) }
        channel.pipeline.fireUserInboundEventTriggered(
            TLSUserEvent.handshakeCompleted(negotiatedProtocol: negotiated)
        )
        #expect(agreed.protocols == [negotiated])
        channel.embeddedEventLoop.advanceTime(by: .seconds(600))
        #expect(channel.isActive)
        #expect(throws: ChannelPipelineError.self) {
            try channel.pipeline.syncOperations.handler(type: HandshakeHandler.self)
        }
        _ = try channel.finish()
    }

    @Test func whoTakesTooLongIsNotWaitedFor() throws {
        let channel = try Self.connection { _ in }
        channel.embeddedEventLoop.advanceTime(by: .seconds(9))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(2))
        #expect(!channel.isActive)
    }

    @Test func whoDoesNotAgreeIsSentAway() throws {
        let failed = try Self.connection { _ in }
        failed.pipeline.fireErrorCaught(Failure())
        failed.embeddedEventLoop.run()
        #expect(!failed.isActive)
        let closed = try Self.connection { _ in throw Failure() }
        closed.pipeline.fireUserInboundEventTriggered(TLSUserEvent.handshakeCompleted(negotiatedProtocol: "h2"))
        closed.embeddedEventLoop.run()
        #expect(!closed.isActive)
    }

    @Test func aShutdownDoesNotWaitForIt() throws {
        let channel = try Self.connection { _ in }
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        channel.embeddedEventLoop.run()
        #expect(!channel.isActive)
    }
}
