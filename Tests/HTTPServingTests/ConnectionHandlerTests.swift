import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import HTTPServing

@Suite(.timeLimit(.minutes(5))) struct ConnectionHandlerTests {
    /// A connection that is accepted as the server closes is never active, so that nothing that is written ever leaves.
    @Test func whoComesWhenTheServerEndsIsClosed() async throws {
        let timeouts = ConnectionTimeouts(write: .seconds(600), linger: .seconds(600), shutdown: .seconds(600))
        let group = MultiThreadedEventLoopGroup.singleton
        let listening = group.next().makePromise(of: (any Channel).self)
        let server = try await ServerBootstrap(group: group)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ConnectionHandler(timeouts: timeouts))
                }.and(listening.futureResult.flatMap { $0.close() }).map { _ in }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let client = try await ClientBootstrap(group: group).connect(to: try #require(server.localAddress)).get()
        listening.succeed(server)
        _ = try await eventually(within: 60, "the connection ends") { client.isActive ? nil : true }
    }
}
