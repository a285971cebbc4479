import MediaCore
import NIOCore
import NIOPosix
import RTMP
import Synchronization

/// Listens at one address for publishers of RTMP, for all inputs that name it.
final class PublishingServer: Sendable {
    private static let servers = Mutex<[PublishingAddress.SocketPlace: PublishingServer]>([:])
    /// Of its own: what viewers do has nothing to do with it.
    static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    private struct State {
        var desk = PublisherDesk()
        var points: [Int: Weak] = [:]
        /// Connections that do not publish yet.
        var strangers: Set<Int> = []
        var connections = 0
        var channel: (any Channel)?
    }

    private struct Weak { weak var point: PublishingPoint? }

    private let socket: PublishingAddress.SocketPlace
    private let state = Mutex(State())

    /// Connections that have not said yet what they publish.
    private static let mostStrangers = 64

    private init(_ socket: PublishingAddress.SocketPlace) {
        self.socket = socket
    }

    /// The one at an address, which begins to listen where nobody else has asked for it.
    ///
    /// - Throws: Where that cannot be listened on.
    static func at(_ socket: PublishingAddress.SocketPlace) throws(FFmpegError) -> PublishingServer {
        let result: Result<PublishingServer, FFmpegError> = servers.withLock { servers in
            if let server = servers[socket] { return .success(server) }
            let server = PublishingServer(socket)
            do throws(FFmpegError) {
                try server.listen()
            } catch {
                return .failure(error)
            }
            servers[socket] = server
            return .success(server)
        }
        return try result.get()
    }

    private func listen() throws(FFmpegError) {
        let bootstrap = ServerBootstrap(group: Self.group)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.backlog, value: 64)
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

    /// - Returns: Nil where somebody waits for the same.
    func add(_ path: String, allowed: [AddressRange]) -> Int? {
        state.withLock { $0.desk.add(path, allowed: allowed) }
    }

    /// Tells a point of what comes to its place.
    func attend(_ point: PublishingPoint, at place: Int) {
        state.withLock { $0.points[place] = Weak(point: point) }
    }

    /// Nobody waits there any more; the last one ends the listening.
    func remove(_ place: Int) {
        Self.servers.withLock { servers in
            let idle: (any Channel)? = state.withLock { state in
                state.desk.remove(place)
                state.points[place] = nil
                return state.desk.places.isEmpty ? state.channel : nil
            }
            guard let idle else { return }
            servers[socket] = nil
            // Whoever opens the same address next finds it free.
            try? idle.close().wait()
        }
    }

    // MARK: Connections

    /// Nil where a connection is not even listened to.
    private func handler(for channel: any Channel) -> PublisherHandler? {
        guard let address = channel.remoteAddress?.ipAddress else { return nil }
        let connection: Int? = state.withLock { state in
            guard state.desk.isWelcome(address), state.strangers.count < Self.mostStrangers else { return nil }
            state.connections += 1
            state.strangers.insert(state.connections)
            return state.connections
        }
        guard let connection else {
            if !state.withLock({ $0.desk.isWelcome(address) }) {
                tellAll(of: channel, address, reason: PublisherDesk.wrongAddress)
            }
            return nil
        }
        return PublisherHandler(server: self, connection: connection)
    }

    /// - Returns: What takes the media of a publisher, or what to tell it.
    func requested(
        _ request: PublishRequest,
        by connection: Int,
        on channel: any Channel
    ) -> Result<PublishedFeed, Refused> {
        let address = channel.remoteAddress?.ipAddress ?? ""
        let verdict = state.withLock { state in
            state.strangers.remove(connection)
            return state.desk.verdict(on: request, from: address, connection: connection)
        }
        switch verdict {
        case .accepted(let place):
            guard let point = state.withLock({ $0.points[place]?.point }) else {
                return .failure(Refused(refusal: .unknownStream))
            }
            let feed = PublishedFeed(
                signal: point.signal,
                resume: { channel.setOption(.autoRead, value: true).whenComplete { _ in } },
                hangUp: { channel.close(promise: nil) }
            )
            point.begin(feed)
            return .success(feed)
        case .refused(let refusal, let reason):
            tellAll(of: channel, address, reason: reason)
            return .failure(Refused(refusal: refusal))
        }
    }

    struct Refused: Error { var refusal: PublishRefusal }

    /// A connection is gone.
    func left(_ connection: Int) {
        state.withLock { state in
            state.strangers.remove(connection)
            state.desk.left(connection)
        }
    }

    /// Nobody knows for which of them a wrong key was meant.
    private func tellAll(of channel: any Channel, _ address: String, reason: String) {
        let points = state.withLock { state in state.points.values.compactMap(\.point) }
        for point in points { point.refusals.refused(address, port: channel.remoteAddress?.port ?? 0, reason: reason) }
    }
}
