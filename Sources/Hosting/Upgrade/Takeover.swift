import ContentProtection
import Foundation
import Glibc
import HTTPServing
import Ingest
import MediaCore
import NIOCore
import PackagerConfig
import Segmenting
package import Succession

/// Takes over from the former process.
package final class Takeover: Sendable {
    private let connection: any SuccessionConnection
    /// Sockets that listen, by the name of their listeners.
    private let listeners: [String: CInt]
    /// The directory in which the other process keeps events; nil if there is none, and from versions that do not send
    /// it.
    let eventDirectory: String?
    /// The settings that the numbers and keys of each channel depend on.
    private let identities: [String: [String: String]]
    /// The number of the other process.
    let predecessor = getppid()

    /// Waits for the state of the other process.
    ///
    /// - Parameter socket: The connection to the other process.
    /// - Throws: ``SetupError`` if the other process has ended meanwhile.
    package convenience init(_ socket: SuccessionSocket) async throws(SetupError) {
        try await self.init(SocketConnection(socket))
    }

    init(_ connection: any SuccessionConnection) async throws(SetupError) {
        self.connection = connection
        var listeners: [String: CInt] = [:]
        var channels: [UInt8]?
        var eventDirectory = ""
        while channels == nil {
            let message = try await Self.next(connection)
            switch message.kind {
            case .listener: listeners[message.name] = message.descriptor
            case .channels: (channels, eventDirectory) = (message.bytes, message.name)
            default: break
            }
        }
        self.listeners = listeners
        self.eventDirectory = eventDirectory.isEmpty ? nil : eventDirectory
        identities = (try? JSONDecoder().decode([String: [String: String]].self, from: Data(channels ?? []))) ?? [:]
    }

    /// Returns the socket of a listener, if the other process listens at the same address.
    func listener(_ name: String) -> CInt? { listeners[name] }

    /// Takes the channels over, once nothing stands against it.
    ///
    /// - Parameters:
    ///   - channels: The channels of the configuration.
    ///   - host: Gets them.
    /// - Throws: ``SetupError`` with everything that keeps this process from continuing; then the other one does.
    func takeOver(_ channels: [ChannelConfiguration], _ host: ChannelHost) async throws(SetupError) {
        // A secret that ends with the process comes with its channel.
        let lasting = Set(channels.filter { $0.keySecret != .memory }.map(\.name))
        let found = await host.factory.problems(of: channels, after: identities.filter { lasting.contains($0.key) })
        let problems = channels.flatMap(differences).map { SetupProblem($0) } + found
        guard problems.isEmpty else { throw SetupError(problems) }
        say(.prepared, [HandedPublisher.version])
        try await expect(.openFeeds)
        let feeds = openFeeds(channels.filter { identities[$0.name] != nil })
        say(.feedsOpen, Self.places(of: channels))
        var bodies: [String: ByteBuffer] = [:]
        var predecessors: [String: ChannelPredecessor] = [:]
        var publishers: [HandedPublisher] = []
        channels: while true {
            let message = try await Self.next(connection)
            switch message.kind {
            case .body: bodies[message.name] = ByteBuffer(bytes: message.bytes)
            case .feedBytes: feeds[message.name]?.resume(after: message.bytes)
            case .publisher: publishers.append(try Self.publisher(message))
            case .channel:
                defer { bodies = [:] }
                guard let channel = channels.first(where: { $0.name == message.name }) else { continue }
                predecessors[channel.name] = try predecessor(of: channel, message.bytes, bodies, feeds, host)
            case .yours: break channels
            default: break
            }
        }
        guard HandedPublishers.expect(publishers) else {
            throw SetupError("the former process hands over too many connections of RTMP encoders")
        }
        try await host.add(channels, after: predecessors)
    }

    private static func publisher(_ message: SuccessionMessage) throws(SetupError) -> HandedPublisher {
        guard let descriptor = message.descriptor else {
            throw SetupError("the former process hands over an RTMP encoder without its connection")
        }
        do throws(HandedPublisherError) {
            return try HandedPublisher(ByteBuffer(bytes: message.bytes), descriptor: descriptor)
        } catch {
            throw SetupError("the state of the former process cannot be read: \(error)")
        }
    }

    /// Tells the other process that this one serves everything, and takes over its clients; returns once it no
    /// longer accepts connections.
    ///
    /// - Parameter listeners: The listeners of this process.
    func complete(_ listeners: [HandoverListener]) async {
        say(.listening)
        let sockets = Dictionary(listeners.map { ($0.name, $0.socket) }) { first, _ in first }
        var isRetired = false
        while !isRetired, let message = await connection.next() {
            isRetired = message.kind == .retired
            Self.adopt(message, sockets)
        }
        // The other process may take its publishers back: two must not read one connection.
        if !isRetired { _ = HandedPublishers.closeUnclaimed() }
        // Connections with a request under way come once it is answered.
        Task { [self] in while let message = await connection.next() { Self.adopt(message, sockets) } }
    }

    private static func adopt(_ message: SuccessionMessage, _ sockets: [String: ServerSocket]) {
        guard let descriptor = message.descriptor else { return }
        guard let socket = sockets[message.name] else {
            close(descriptor)
            return
        }
        socket.adopt(Handover.Connection(descriptor: descriptor, bytes: ByteBuffer(bytes: message.bytes)))
    }

    /// Lists the reasons why a channel cannot resume the window of the other process.
    private func differences(_ channel: ChannelConfiguration) -> [String] {
        guard let before = identities[channel.name] else { return [] }
        return channel.identity(of: [.stream]).sorted { $0.key < $1.key }.compactMap { name, value in
            guard let old = before[name], old != value else { return nil }
            return
                "channel \(channel.name): \(name) was \(old), and is \(value): restore it, or give the channel another name"
        }
    }

    private func predecessor(
        of channel: ChannelConfiguration,
        _ json: [UInt8],
        _ bodies: [String: ByteBuffer],
        _ feeds: [String: OpenFeed],
        _ host: ChannelHost
    ) throws(SetupError) -> ChannelPredecessor {
        guard let handover = try? JSONDecoder().decode(ChannelHandover.self, from: Data(json)) else {
            throw SetupError("channel \(channel.name): its state from the former process cannot be read")
        }
        if let secret = handover.secret.flatMap({ MasterSecret($0) }) {
            host.factory.volatileSecrets.remember(secret, ofChannel: channel.name)
        }
        let inputs =
            channel.inputs.indices.map { InputID.input($0) }
            + channel.backups.indices.map { InputID.backup($0, inputCount: channel.inputs.count) }
        return handover.predecessor(inputs: inputs, bodies: bodies, feeds: feeds)
    }

    /// Opens feeds that the other process still reads until it stops.
    private func openFeeds(_ channels: [ChannelConfiguration]) -> [String: OpenFeed] {
        var feeds: [String: OpenFeed] = [:]
        for (location, options) in ChannelAssembly.feeds(of: channels) {
            // The reader retries a feed that cannot be opened now.
            if let feed = try? OpenFeed(opening: location, options: options) { feeds[location] = feed }
        }
        return feeds
    }

    /// Returns the places where this process looks for the windows of channels, as JSON.
    private static func places(of channels: [ChannelConfiguration]) -> [UInt8] {
        let places = Dictionary(channels.map { ($0.name, WindowPlace($0)) }) { first, _ in first }
        return (try? JSONEncoder().encode(places)).map { [UInt8]($0) } ?? []
    }

    private func say(_ kind: SuccessionMessage.Kind, _ bytes: [UInt8] = []) {
        // A lost message shows in the wait for the next.
        try? connection.send(SuccessionMessage(kind, bytes: bytes))
    }

    private func expect(_ kind: SuccessionMessage.Kind) async throws(SetupError) {
        while try await Self.next(connection).kind != kind {}
    }

    private static func next(_ connection: any SuccessionConnection) async throws(SetupError) -> SuccessionMessage {
        guard let message = await connection.next() else {
            throw SetupError("the former process has ended, or has given up the upgrade")
        }
        return message
    }
}
