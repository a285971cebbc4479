import Foundation
import Glibc
import HTTPServing
import Ingest
import Logging
import MediaCore
import NIOCore
import Operations
import Origin
import Presentation
import Succession
import Synchronization

/// Hands everything to a new process of the program, as it is installed by now: sockets, connections, channels and feeds.
///
/// The new one is ready before this one lets go of anything; where it fails, this one goes on.
final class Upgrade: Sendable {
    private let host: ChannelHost
    let listeners: [HandoverListener]
    private let origin: OriginServer
    private let events: EventLog
    private let clock: any UTCClock
    private let logger: Logger
    private let isUnderWay = Mutex(false)
    private let handedOver = Atomic(false)

    /// How long a step of the new process may take.
    private static let patience = Duration.seconds(120)

    init(
        _ host: ChannelHost,
        _ listeners: [HandoverListener],
        _ origin: OriginServer,
        events: EventLog,
        clock: any UTCClock,
        logger: Logger
    ) {
        self.host = host
        self.listeners = listeners
        self.origin = origin
        self.events = events
        self.clock = clock
        self.logger = logger
    }

    /// Whether another process has taken the place of this one, which only ends what it is doing.
    var isHandedOver: Bool { handedOver.load(ordering: .acquiring) }

    /// Starts the new process and hands over to it; what comes of that is in the log and on record.
    func perform() async {
        guard !isHandedOver,
            !isUnderWay.withLock({ isUnderWay in
                defer { isUnderWay = true }
                return isUnderWay
            })
        else { return }
        defer { isUnderWay.withLock { $0 = false } }
        do throws(SuccessionError) {
            let identifier = try await handOver()
            note(.notice, "Process \(identifier) has taken the place of this one.")
            LineWriter.standardOutput.write("successor \(identifier)")
            host.stop()
        } catch {
            host.discardCapture()
            note(.error, "The upgrade was given up, and everything goes on as before: \(error).")
        }
    }

    /// Says something of the upgrade, in the log and on record.
    func note(_ level: Logger.Level, _ message: String) {
        logger.log(level: level, "upgrade", metadata: ["what": "\(message)"])
        events.append(
            ChannelEvent(
                time: clock.now,
                channel: ChannelEvent.allChannels,
                kind: .configuration,
                severity: ChannelEvent.Severity(level),
                message: message
            )
        )
    }

    /// - Returns: The number of the new process.
    private func handOver() async throws(SuccessionError) -> Int32 {
        if let obstacle = host.obstacle { throw SuccessionError(obstacle) }
        let arguments = CommandLine.arguments
        let environment = ProcessInfo.processInfo.environment
        guard let path = SuccessorProcess.path(of: arguments[0], searchPath: environment["PATH"]) else {
            throw SuccessionError("there is no program at \(arguments[0])")
        }
        let (socket, other) = try SuccessionSocket.pair()
        let process = try SuccessorProcess(path, arguments, environment: environment, socket: other)
        let inbox = SuccessionInbox(socket)
        let takesPublishers: Bool
        do throws(SuccessionError) {
            takesPublishers = try await prepare(socket, inbox, process)
        } catch {
            throw SuccessionError("\(path): \(error) (\(await end(of: process, socket)))")
        }
        let publishers = takesPublishers ? await partWithPublishers() : []
        let left = await host.releaseChannels()
        do throws(SuccessionError) {
            try leave(left, publishers, socket)
            _ = try await expect(.listening, inbox)
        } catch {
            // What it has open has to be free before.
            let end = await end(of: process, socket)
            HandedPublishers.expect(publishers)
            defer { closeUnclaimedPublishers() }
            do throws(SetupError) {
                try await host.resumeChannels(left)
            } catch let second {
                throw SuccessionError("\(path): \(error) (\(end)); the channels cannot be taken back: \(second)")
            }
            throw SuccessionError("\(path): \(error) (\(end))")
        }
        for publisher in publishers { publisher.close() }
        await retire(socket)
        if !publishers.isEmpty { note(.notice, "RTMP encoders that stay connected: \(publishers.count).") }
        return process.identifier
    }

    private func end(of process: SuccessorProcess, _ socket: SuccessionSocket) async -> String {
        socket.shutDown()
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: process.end()) }
        }
    }

    /// Waits until the new process can go on with everything, and says what it cannot go on with.
    ///
    /// - Returns: Whether it can go on with the connections of RTMP encoders.
    private func prepare(
        _ socket: SuccessionSocket,
        _ inbox: SuccessionInbox,
        _ process: SuccessorProcess
    ) async throws(SuccessionError) -> Bool {
        for listener in listeners {
            guard let copy = await listener.socket.copy() else { continue }
            defer { close(copy) }
            try socket.send(SuccessionMessage(.listener, name: listener.name, descriptor: copy))
        }
        try socket.send(SuccessionMessage(.channels, bytes: Self.json(host.streamIdentities)))
        let capture = host.startCapture()
        let takesPublishers = try await expect(.prepared, inbox).bytes.first == HandedPublisher.version
        for cut in host.disconnections(handsPublishersOver: takesPublishers) {
            note(
                .warning,
                "\(cut) as process \(process.identifier) takes the place of this one. It has to connect again; viewers miss what "
                    + "it sends until then, unless there is a backup."
            )
        }
        await capture.untilEnough()
        try socket.send(SuccessionMessage(.openFeeds))
        _ = try await expect(.feedsOpen, inbox)
        try? await Task.sleep(for: ChannelHost.drainTime)
        return takesPublishers
    }

    /// Accepts nobody any more, and hands connections over.
    private func retire(_ socket: SuccessionSocket) async {
        handedOver.store(true, ordering: .releasing)
        for listener in listeners {
            listener.retire { connection in
                let message = SuccessionMessage(
                    .connection,
                    name: listener.name,
                    bytes: Array(connection.bytes.readableBytesView),
                    descriptor: connection.descriptor
                )
                try? socket.send(message)
                close(connection.descriptor)
            }
        }
        // The server closes, has its connections asked, and those answer: one turn of every event loop each.
        for _ in 0..<4 { await withCheckedContinuation { turn in origin.beat { turn.resume() } } }
        try? socket.send(SuccessionMessage(.retired))
    }

    private func leave(
        _ left: [(name: String, predecessor: ChannelPredecessor)],
        _ publishers: [HandedPublisher],
        _ socket: SuccessionSocket
    ) throws(SuccessionError) {
        for publisher in publishers {
            let state = Array(publisher.state.readableBytesView)
            try publisher.withDescriptor { descriptor throws(SuccessionError) in
                try socket.send(SuccessionMessage(.publisher, bytes: state, descriptor: descriptor))
            }
        }
        for (location, bytes) in host.captured {
            try socket.send(SuccessionMessage(.feedBytes, name: location, bytes: bytes))
        }
        for (name, predecessor) in left {
            for (path, body) in predecessor.window?.bodies ?? [:] {
                try socket.send(SuccessionMessage(.body, name: path, bytes: Array(body.readableBytesView)))
            }
            let secret = host.assembly.volatileSecrets.known(ofChannel: name)
            let handover = ChannelHandover(predecessor, secret: secret)
            try socket.send(SuccessionMessage(.channel, name: name, bytes: Self.json(handover)))
        }
        try socket.send(SuccessionMessage(.yours))
    }

    private func expect(
        _ kind: SuccessionMessage.Kind,
        _ inbox: SuccessionInbox
    ) async throws(SuccessionError) -> SuccessionMessage {
        let message = await withTaskGroup(of: SuccessionMessage?.self) { group in
            group.addTask { await inbox.next() }
            group.addTask {
                try? await Task.sleep(for: Self.patience)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        if let message, message.kind == .refused {
            throw SuccessionError(String(decoding: message.bytes, as: UTF8.self))
        }
        guard let message, message.kind == kind else {
            throw SuccessionError("the new process has not come as far as '\(kind)'")
        }
        return message
    }

    private static func json(_ value: some Encodable) throws(SuccessionError) -> [UInt8] {
        do {
            return [UInt8](try JSONEncoder().encode(value))
        } catch {
            throw SuccessionError("\(error)")
        }
    }
}
