import Foundation
import Glibc
import HTTPServing
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
    private let faces: [Face]
    private let origin: OriginServer
    private let events: EventLog
    private let clock: SystemClock
    private let logger: Logger
    private let isUnderWay = Mutex(false)
    private let handedOver = Atomic(false)

    /// How long a step of the new process may take.
    private static let patience = Duration.seconds(120)
    /// Within this what was sent to a socket that has lost its port to another one has been read.
    private static let drainTime = Duration.milliseconds(250)

    init(
        _ host: ChannelHost,
        _ faces: [Face],
        _ origin: OriginServer,
        events: EventLog,
        clock: SystemClock,
        logger: Logger
    ) {
        self.host = host
        self.faces = faces
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
            host.clearTapes()
            note(.error, "The upgrade was given up, and everything goes on as before: \(error).")
        }
    }

    private func note(_ level: Logger.Level, _ message: String) {
        logger.log(level: level, "upgrade", metadata: ["what": "\(message)"])
        events.append(
            ChannelEvent(time: clock.now, channel: ChannelEvent.allChannels, kind: .configuration, message: message)
        )
    }

    /// - Returns: The number of the new process.
    private func handOver() async throws(SuccessionError) -> Int32 {
        let arguments = CommandLine.arguments
        let environment = ProcessInfo.processInfo.environment
        guard let path = SuccessorProcess.path(of: arguments[0], searchPath: environment["PATH"]) else {
            throw SuccessionError("there is no program at \(arguments[0])")
        }
        let (socket, other) = try SuccessionSocket.pair()
        let process = try SuccessorProcess(path, arguments, environment: environment, socket: other)
        let inbox = SuccessionInbox(socket)
        do throws(SuccessionError) {
            try await converse(socket, inbox)
        } catch {
            socket.shutDown()
            process.kill()
            let end = await withCheckedContinuation { continuation in
                Thread.detachNewThread { continuation.resume(returning: process.end()) }
            }
            throw SuccessionError("\(path): \(error) (\(end))")
        }
        return process.identifier
    }

    private func converse(_ socket: SuccessionSocket, _ inbox: SuccessionInbox) async throws(SuccessionError) {
        for face in faces {
            guard let copy = await face.socket.copy() else { continue }
            defer { close(copy) }
            try socket.send(SuccessionMessage(.listener, name: face.name, descriptor: copy))
        }
        try socket.send(SuccessionMessage(.channels, bytes: Self.json(host.streamIdentities)))
        let begun = ContinuousClock.now
        let needed = host.startTapes()
        try await expect(.prepared, inbox)
        try? await Task.sleep(until: begun + needed, clock: .continuous)
        try socket.send(SuccessionMessage(.openFeeds))
        try await expect(.feedsOpen, inbox)
        try? await Task.sleep(for: Self.drainTime)
        let left = await host.letGo()
        do throws(SuccessionError) {
            try leave(left, socket)
            try await expect(.listening, inbox)
        } catch {
            do throws(SetupError) {
                try await host.takeBack(left)
            } catch let second {
                throw SuccessionError("\(error); the channels cannot be taken back: \(second)")
            }
            throw error
        }
        handedOver.store(true, ordering: .releasing)
        for face in faces {
            face.retire { connection in
                let message = SuccessionMessage(
                    .connection,
                    name: face.name,
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
        _ socket: SuccessionSocket
    ) throws(SuccessionError) {
        for (location, bytes) in host.tapes { try socket.send(SuccessionMessage(.tape, name: location, bytes: bytes)) }
        for (name, predecessor) in left {
            for (path, body) in predecessor.window?.bodies ?? [:] {
                try socket.send(SuccessionMessage(.body, name: path, bytes: Array(body.readableBytesView)))
            }
            let secret = host.assembly.volatileSecrets.known(ofChannel: name)
            let estate = ChannelEstate(predecessor, secret: secret)
            try socket.send(SuccessionMessage(.channel, name: name, bytes: Self.json(estate)))
        }
        try socket.send(SuccessionMessage(.yours))
    }

    private func expect(_ kind: SuccessionMessage.Kind, _ inbox: SuccessionInbox) async throws(SuccessionError) {
        let message = await withTaskGroup(of: SuccessionMessage?.self) { group in
            group.addTask { await inbox.next() }
            group.addTask {
                try? await Task.sleep(for: Self.patience)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        guard message?.kind == kind else { throw SuccessionError("the new process has not come as far as '\(kind)'") }
    }

    private static func json(_ value: some Encodable) throws(SuccessionError) -> [UInt8] {
        do {
            return [UInt8](try JSONEncoder().encode(value))
        } catch {
            throw SuccessionError("\(error)")
        }
    }
}
