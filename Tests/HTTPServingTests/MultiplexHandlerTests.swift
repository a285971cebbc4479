import NIOCore
import NIOEmbedded
import Testing

@testable import HTTPServing

@Suite struct MultiplexHandlerTests {
    /// Notes what is to end it.
    private final class Witness: ChannelInboundHandler {
        typealias InboundIn = Any
        private(set) var isQuiescing = false

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if event is ChannelShouldQuiesceEvent { isQuiescing = true }
        }
    }

    private let channel = EmbeddedChannel()
    private let witness = Witness()
    private let gate = ConnectionGate(limits: .init(total: 1, perAddress: 1))
    private let handler: MultiplexHandler

    init() throws {
        handler = MultiplexHandler(pass: try #require(gate.admit(channel)), idleTimeout: .seconds(60))
        try channel.pipeline.syncOperations.addHandlers(handler, witness)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    @Test func aConnectionWithoutStreamsEnds() {
        channel.embeddedEventLoop.advanceTime(by: .seconds(59))
        #expect(!witness.isQuiescing)
        channel.embeddedEventLoop.advanceTime(by: .seconds(2))
        #expect(witness.isQuiescing)
    }

    @Test func aConnectionIsIdleFromTheEndOfItsLastStreamOn() {
        for _ in 0..<2 {
            handler.streamOpened()
            handler.requestArrived()
        }
        channel.embeddedEventLoop.advanceTime(by: .seconds(600))
        handler.streamClosed(hadRequest: true)
        channel.embeddedEventLoop.advanceTime(by: .seconds(600))
        #expect(!witness.isQuiescing)
        handler.streamClosed(hadRequest: true)
        channel.embeddedEventLoop.advanceTime(by: .seconds(59))
        #expect(!witness.isQuiescing)
        channel.embeddedEventLoop.advanceTime(by: .seconds(2))
        #expect(witness.isQuiescing)
    }

    /// A connection with a request under way gives way to no other.
    @Test func itsPlaceIsItsOwnWhileItHasStreams() {
        for _ in 0..<2 {
            handler.streamOpened()
            handler.requestArrived()
        }
        handler.streamClosed(hadRequest: true)
        #expect(gate.admit(EmbeddedChannel()) == nil)
        handler.streamClosed(hadRequest: true)
        #expect(gate.admit(EmbeddedChannel()) != nil)
    }

    /// A client that does not end its requests holds nobody up.
    @Test func aRequestThatIsNotWholeKeepsNoPlace() {
        handler.streamOpened()
        #expect(gate.admit(EmbeddedChannel()) != nil)
        handler.streamClosed(hadRequest: false)
    }
}
