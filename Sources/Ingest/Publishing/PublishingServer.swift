import MediaCore
import NIOCore
import NIOPosix
import Publishing
import Synchronization

/// Listens at one address for publishers of RTMP, for all inputs that name it.
final class PublishingServer: Sendable {
    static let servers = Mutex<[PublishingAddress.SocketEndpoint: PublishingServer]>([:])
    /// Event loops apart from those of viewers, so that neither hold the other up.
    static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    struct State {
        var admission = PublisherAdmission()
        var points: [Int: Weak] = [:]
        /// Connections that have not shown a key.
        var strangers = Newcomers<Int>(most: mostStrangers)
        var channels: [Int: any Channel] = [:]
        /// Connections that publish.
        var publishers: [Int: NIOLoopBound<PublisherHandler>] = [:]
        var connections = 0
        var channel: (any Channel)?
    }

    struct Weak { weak var point: PublishingPoint? }

    let socket: PublishingAddress.SocketEndpoint
    let state = Mutex(State())

    /// Connections that have not shown a key.
    static let mostStrangers = 128
    /// The most bytes of answers that wait to be sent on one connection; with more, its client does not read.
    static let mostUnread = 65_536

    private init(_ socket: PublishingAddress.SocketEndpoint) {
        self.socket = socket
    }

    /// A reader's place at a server.
    struct Place {
        let server: PublishingServer
        let number: Int
        /// A connection from another process that publishes the same.
        let publisher: HandedPublisher?
        /// The number of that connection, if it may continue there.
        let connection: Int?
    }

    /// Adds a reader to the server at an address, which begins to listen with the first one.
    ///
    /// - Parameters:
    ///   - address: The address and path to listen on.
    ///   - allowed: The allowed addresses of publishers; empty for any.
    ///   - claim: Returns a connection from another process that publishes it already.
    /// - Returns: The place; nil if another reader waits for the same.
    /// - Throws: An error if it cannot listen there.
    static func add(
        _ address: PublishingAddress,
        allowed: [AddressRange],
        claim: () -> HandedPublisher?
    ) throws(FFmpegError) -> Place? {
        // Under one lock with the end of a server, whose last reader may leave meanwhile.
        let result: Result<Place?, FFmpegError> = servers.withLock { servers in
            let server = servers[address.socket] ?? PublishingServer(address.socket)
            if servers[address.socket] == nil {
                do throws(FFmpegError) {
                    try server.listen()
                } catch {
                    return .failure(error)
                }
                servers[address.socket] = server
            }
            return .success(server.add(address.path, allowed: allowed, goingOnWith: claim()))
        }
        return try result.get()
    }

    private func listen() throws(FFmpegError) {
        let bootstrap = ServerBootstrap(group: Self.group)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.backlog, value: 64)
            .childChannelOption(.writeBufferWaterMark, value: .init(low: 1, high: Self.mostUnread))
            .childChannelInitializer { [weak self] channel in
                channel.eventLoop.makeCompletedFuture {
                    guard let self, let handler = self.handler(for: channel) else { return channel.close(promise: nil) }
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
        do {
            let channel = try bootstrap.bind(host: socket.host, port: socket.port).wait()
            state.withLock { $0.channel = channel }
        } catch let error as IOError {
            throw FFmpegError(code: FFmpegError.posix(error.errnoCode), operation: "open")
        } catch {
            throw FFmpegError(code: FFmpegError.addressNotAvailable, operation: "open")
        }
    }

    // MARK: Places

    private func add(_ path: String, allowed: [AddressRange], goingOnWith publisher: HandedPublisher?) -> Place? {
        state.withLock { state in
            guard let number = state.admission.add(path, allowed: allowed) else { return nil }
            guard let publisher else {
                return Place(server: self, number: number, publisher: nil, connection: nil)
            }
            state.connections += 1
            let continues = state.admission.continues(state.connections, from: publisher.peer.host, at: number)
            let connection = continues ? state.connections : nil
            return Place(server: self, number: number, publisher: publisher, connection: connection)
        }
    }

    /// Delivers the events of a place to a point.
    func attend(_ point: PublishingPoint, at place: Int) {
        state.withLock { $0.points[place] = Weak(point: point) }
    }

    /// Removes a reader; the server stops listening with the last one.
    func remove(_ place: Int) {
        Self.servers.withLock { servers in
            let idle: (any Channel)? = state.withLock { state in
                state.admission.remove(place)
                state.points[place] = nil
                return state.admission.places.isEmpty ? state.channel : nil
            }
            guard let idle else { return }
            servers[socket] = nil
            // The next listener on the same address finds it free.
            try? idle.close().wait()
        }
    }

    // MARK: Connections

    /// Makes the handler of a connection; returns nil if the connection is refused at once.
    private func handler(for channel: any Channel) -> PublisherHandler? {
        guard let address = channel.remoteAddress?.ipAddress else { return nil }
        let network = AddressRange.network(of: address)
        let (connection, displacement, displaced) = state.withLock { state -> (Int?, Displacement?, (any Channel)?) in
            guard state.admission.isWelcome(address) else { return (nil, nil, nil) }
            state.connections += 1
            let displacement = state.strangers.came(state.connections, from: network)
            state.channels[state.connections] = channel
            return (state.connections, displacement, displacement.flatMap { state.channels.removeValue(forKey: $0.id) })
        }
        guard let connection else {
            refused(channel, reason: PublisherAdmission.wrongAddress)
            return nil
        }
        channel.closeFuture.whenComplete { [weak self] _ in self?.left(connection) }
        displaced?.close(promise: nil)
        if let displacement {
            for point in points { point.refusals.crowded(by: displacement.network, held: displacement.held) }
        }
        return PublisherHandler(server: self, connection: connection)
    }

    private typealias Displacement = Newcomers<Int>.Displacement

    /// A connection has come closer to publishing.
    func advanced(_ connection: Int) { state.withLock { $0.strangers.advanced(connection) } }

    /// - Returns: The feed that takes the media of a publisher, or the refusal to send.
    func requested(
        _ request: PublishRequest,
        by connection: Int,
        on channel: any Channel
    ) -> Result<PublishedFeed, Refused> {
        let address = channel.remoteAddress?.ipAddress ?? ""
        let verdict = state.withLock { state in
            let verdict = state.admission.verdict(on: request, from: address, connection: connection)
            if case .accepted = verdict {
                state.strangers.left(connection)
                state.channels[connection] = nil
            }
            return verdict
        }
        switch verdict {
        case .accepted(let place):
            guard let point = state.withLock({ $0.points[place]?.point }) else {
                return .failure(Refused(refusal: .unknownStream))
            }
            let feed = point.feed(of: channel)
            point.begin(feed)
            return .success(feed)
        case .refused(let refusal, let reason):
            refused(channel, reason: reason)
            return .failure(Refused(refusal: refusal))
        }
    }

    struct Refused: Error { var refusal: PublishRefusal }

    /// Notes a connection that publishes.
    func began(_ connection: Int, _ handler: NIOLoopBound<PublisherHandler>) {
        state.withLock { $0.publishers[connection] = handler }
    }

    /// A connection publishes nothing any more.
    func ended(_ connection: Int) {
        state.withLock { state in
            state.publishers[connection] = nil
            state.admission.left(connection)
        }
    }

    /// Notes that a connection has ended.
    func left(_ connection: Int) {
        state.withLock { state in
            state.strangers.left(connection)
            state.channels[connection] = nil
            state.publishers[connection] = nil
            state.admission.left(connection)
        }
    }

    /// Reports a refused connection to all readers, because a wrong key does not show its stream.
    func refused(_ channel: any Channel, reason: String) {
        guard let address = channel.remoteAddress else { return }
        for point in points { point.refusals.refused(address.ipAddress ?? "", port: address.port ?? 0, reason: reason) }
    }

    /// Reports a publisher that is cut off to the reader of its stream.
    func cutOff(_ connection: Int, _ channel: any Channel, reason: String) {
        guard let address = channel.remoteAddress else { return }
        let point = state.withLock { state in state.admission.place(of: connection).flatMap { state.points[$0]?.point }
        }
        point?.refusals.cutOff(address.ipAddress ?? "", port: address.port ?? 0, reason: reason)
    }

    private var points: [PublishingPoint] { state.withLock { $0.points.values.compactMap(\.point) } }
}
