import NIOCore
import NIOPosix
import Synchronization

/// Connections that go from one process to another.
extension PublishingServer {
    /// Runs a task with all publishers, on the thread of all connections.
    ///
    /// Do not call it on that thread: a caller that waits there may hold a lock that the task needs.
    static func withPublishers<Value: Sendable>(
        _ task: @escaping @Sendable ([PublisherHandler]) -> Value
    ) -> EventLoopFuture<Value> {
        let servers = servers.withLock { Array($0.values) }
        return group.next().submit {
            let handlers = servers.flatMap { server in server.state.withLock { Array($0.publishers.values) } }
            return task(handlers.map(\.value))
        }
    }

    /// Names the socket and the stream of a connection; nil if it publishes none.
    func address(of connection: Int) -> PublishingAddress? {
        state.withLock { $0.admission.path(of: connection) }.map { PublishingAddress(socket: socket, path: $0) }
    }

    /// Continues with a connection that was handed over.
    ///
    /// - Parameters:
    ///   - publisher: The publisher.
    ///   - connection: Its number here.
    ///   - point: Gets its kept data, and later data.
    func resume(with publisher: HandedPublisher, as connection: Int, for point: PublishingPoint) {
        guard let descriptor = publisher.takeDescriptor() else { return left(connection) }
        ClientBootstrap(group: Self.group)
            // Nothing is read before all is in its place.
            .channelOption(.autoRead, value: false)
            .channelOption(.writeBufferWaterMark, value: .init(low: 1, high: Self.mostUnread))
            .channelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture {
                    let feed = point.feed(of: channel)
                    let handler = PublisherHandler(
                        server: self,
                        connection: connection,
                        goingOnWith: publisher,
                        feed
                    )
                    channel.closeFuture.whenComplete { [weak self] _ in self?.left(connection) }
                    try channel.pipeline.syncOperations.addHandler(handler)
                    point.begin(feed)
                }
            }
            .withConnectedSocket(descriptor)
            .whenFailure { [weak self] _ in self?.left(connection) }
    }
}
