import Glibc
import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing

@testable import HTTPServing

/// A server whose connections are closed late, as on a busy machine.
@Suite(.timeLimit(.minutes(5))) struct AcceptHandlerTests {
    private final class Accepted: Sendable {
        private let state = Mutex((open: [any Channel](), count: 0, most: 0))

        var count: Int { state.withLock { $0.count } }
        var most: Int { state.withLock { $0.most } }

        func add(_ channel: any Channel) {
            state.withLock { state in
                state.open.append(channel)
                state.count += 1
                state.most = max(state.most, state.open.count)
            }
        }

        func closeAll() {
            for channel in state.withLock({ state in
                defer { state.open = [] }
                return state.open
            }) { channel.close(promise: nil) }
        }
    }

    /// Gives its event loop other things to do, and so many microseconds to do them in, at each read.
    private final class Delay: ChannelInboundHandler {
        typealias InboundIn = any Channel
        private let time: UInt32

        init(of time: UInt32) { self.time = time }

        func channelReadComplete(context: ChannelHandlerContext) {
            for _ in 0..<8 { context.eventLoop.execute {} }
            context.fireChannelReadComplete()
            usleep(time)
        }
    }

    /// Others wait in the kernel's queue, and have a descriptor when there is one.
    @Test(arguments: [0, 50_000]) func noMoreAreAcceptedThanThereIsRoomFor(delay: UInt32) async throws {
        let accepted = Accepted()
        let limits = ConnectionGate.Table.Limits(total: 32, perAddress: 100)
        let gate = ConnectionGate(limits: limits)
        let group = MultiThreadedEventLoopGroup.singleton
        let server = try await ServerBootstrap(group: group)
            .serverChannelOption(.maxMessagesPerRead, value: UInt(limits.leaving))
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers(Delay(of: delay), AcceptHandler(gate: gate))
                }
            }
            .childChannelInitializer { channel in
                accepted.add(channel)
                return channel.eventLoop.makeSucceededVoidFuture()
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let address = try #require(server.localAddress)
        var clients: [any Channel] = []
        for _ in 0..<100 { clients.append(try await ClientBootstrap(group: group).connect(to: address).get()) }
        _ = try await eventually(within: 60, "all have been accepted") { () -> Bool? in
            guard gate.isCrowded || accepted.count == 100 else { return nil }
            accepted.closeAll()
            return accepted.count == 100 ? true : nil
        }
        #expect(accepted.most <= limits.total + 2 * limits.leaving)
        for client in clients { client.close(promise: nil) }
        try await server.close()
    }
}
