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

/// Hands everything to a new process of the installed program: sockets, connections, channels and feeds.
///
/// The new one is ready before this one releases anything; if it fails, this one continues.
final class Upgrade: Sendable {
    private let host: ChannelHost
    let listeners: [HandoverListener]
    let system: UpgradeSystem
    private let events: EventLog
    /// Returns the directory in which events are kept; nil if there is none.
    private let eventDirectory: @Sendable () -> String?
    private let clock: any UTCClock
    private let logger: Logger
    private let isUnderWay = Mutex(false)
    private let handedOver = Atomic(false)

    /// The time that a step of the new process may take.
    static let patience = Duration.seconds(120)

    init(
        _ host: ChannelHost,
        _ listeners: [HandoverListener],
        _ system: UpgradeSystem,
        events: EventLog,
        eventDirectory: @escaping @Sendable () -> String?,
        clock: any UTCClock,
        logger: Logger
    ) {
        self.host = host
        self.listeners = listeners
        self.system = system
        self.events = events
        self.eventDirectory = eventDirectory
        self.clock = clock
        self.logger = logger
    }

    /// True once another process has taken over, and this one only finishes.
    var isHandedOver: Bool { handedOver.load(ordering: .acquiring) }

    /// Starts the new process and hands over to it; the outcome is logged and recorded as an event.
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
            note(.notice, headline: "upgrade done", "Process \(identifier) has taken the place of this one.")
            system.announce("successor \(identifier)")
            host.stop()
        } catch {
            host.discardCapture()
            let what = "The upgrade was given up, and everything goes on as before: \(error)."
            note(
                .error,
                headline: "upgrade given up",
                what,
                viewers: "they notice nothing, unless channels could not be taken back",
                remedy: "read what, try packager check-config with the new program, and upgrade again"
            )
        }
    }

    /// Logs and records an event of the upgrade.
    ///
    /// - Parameters:
    ///   - level: The level of the line.
    ///   - headline: The message of the line.
    ///   - message: One sentence, for the line and the event.
    ///   - viewers: The effect of a problem on viewers; nil if there is no problem.
    ///   - remedy: The action for the operator.
    func note(
        _ level: Logger.Level,
        headline: String,
        _ message: String,
        viewers: String? = nil,
        remedy: String? = nil
    ) {
        var metadata: Logger.Metadata = ["what": "\(message)"]
        if let viewers { metadata["viewers"] = "\(viewers)" }
        if let remedy { metadata["do"] = "\(remedy)" }
        logger.log(level: level, "\(headline)", metadata: metadata)
        events.noteConfiguration(level, message, at: clock.now)
    }

    /// The answer of a new process that can continue with everything.
    private struct Readiness {
        /// True if it can take over the connections of RTMP encoders.
        var takesPublishers: Bool
        /// The places of windows, by channel; empty from versions that do not send them.
        var places: [String: WindowPlace]
    }

    /// - Returns: The number of the new process.
    private func handOver() async throws(SuccessionError) -> Int32 {
        if let obstacle = host.obstacle { throw SuccessionError(obstacle) }
        let successor = try system.start()
        let readiness: Readiness
        do throws(SuccessionError) {
            readiness = try await prepare(successor)
        } catch {
            throw SuccessionError("\(successor.path): \(error) (\(await successor.end()))")
        }
        let publishers = readiness.takesPublishers ? await partWithPublishers() : []
        let left = await host.releaseChannels(to: readiness.places)
        do throws(SuccessionError) {
            try leave(left, publishers, to: successor)
            _ = try await expect(.listening, from: successor)
        } catch {
            throw await rollBack(left, publishers, from: successor, error)
        }
        for publisher in publishers { publisher.close() }
        await retire(for: successor)
        if !publishers.isEmpty {
            note(
                .notice,
                headline: "encoders stay connected",
                "RTMP encoders that stay connected: \(publishers.count)."
            )
        }
        return successor.identifier
    }

    /// Takes everything back from a process that has not continued with it.
    ///
    /// - Returns: The reason, with the effects that cannot be undone.
    private func rollBack(
        _ left: [(name: String, predecessor: ChannelPredecessor)],
        _ publishers: [HandedPublisher],
        from successor: any Successor,
        _ error: SuccessionError
    ) async -> SuccessionError {
        // Journals and sockets that the successor has open have to be free first.
        let end = await successor.end()
        HandedPublishers.expect(publishers)
        defer { closeUnclaimedPublishers() }
        do throws(SetupError) {
            try await host.resumeChannels(left)
        } catch let second {
            return SuccessionError(
                "\(successor.path): \(error) (\(end)); the channels cannot be taken back: \(second)"
            )
        }
        return SuccessionError("\(successor.path): \(error) (\(end))")
    }

    /// Waits until the new process is ready, and returns the things that it cannot continue.
    private func prepare(_ successor: any Successor) async throws(SuccessionError) -> Readiness {
        for listener in listeners {
            guard let copy = await listener.socket.copy() else { continue }
            defer { close(copy) }
            try successor.send(SuccessionMessage(.listener, name: listener.name, descriptor: copy))
        }
        let identities = try Self.json(host.streamIdentities)
        try successor.send(SuccessionMessage(.channels, name: eventDirectory() ?? "", bytes: identities))
        let capture = await host.startCapture()
        let takesPublishers = try await expect(.prepared, from: successor).bytes.first == HandedPublisher.version
        for cut in host.disconnections(handsPublishersOver: takesPublishers) {
            noteCut("\(cut) as process \(successor.identifier) takes the place of this one.")
        }
        await capture.untilEnough()
        try successor.send(SuccessionMessage(.openFeeds))
        let answer = try await expect(.feedsOpen, from: successor).bytes
        await system.sleep(ChannelHost.drainTime)
        await host.untilDrained()
        let places = try? JSONDecoder().decode([String: WindowPlace].self, from: Data(answer))
        return Readiness(takesPublishers: takesPublishers, places: places ?? [:])
    }

    /// Stops accepting, and hands connections over.
    private func retire(for successor: any Successor) async {
        handedOver.store(true, ordering: .releasing)
        for listener in listeners {
            listener.retire { connection in
                let message = SuccessionMessage(
                    .connection,
                    name: listener.name,
                    bytes: Array(connection.bytes.readableBytesView),
                    descriptor: connection.descriptor
                )
                try? successor.send(message)
                close(connection.descriptor)
            }
        }
        // The server closes, asks its connections, and they answer: one turn of every event loop each.
        for _ in 0..<4 { await system.turn() }
        try? successor.send(SuccessionMessage(.retired))
    }

    private func leave(
        _ left: [(name: String, predecessor: ChannelPredecessor)],
        _ publishers: [HandedPublisher],
        to successor: any Successor
    ) throws(SuccessionError) {
        for publisher in publishers {
            let state = Array(publisher.state.readableBytesView)
            try publisher.withDescriptor { descriptor throws(SuccessionError) in
                try successor.send(SuccessionMessage(.publisher, bytes: state, descriptor: descriptor))
            }
        }
        for (location, bytes) in host.captured {
            try successor.send(SuccessionMessage(.feedBytes, name: location, bytes: bytes))
        }
        for (name, predecessor) in left {
            for (path, body) in predecessor.window?.bodies ?? [:] {
                try successor.send(SuccessionMessage(.body, name: path, bytes: Array(body.readableBytesView)))
            }
            let secret = host.factory.volatileSecrets.known(ofChannel: name)
            let handover = ChannelHandover(predecessor, secret: secret)
            try successor.send(SuccessionMessage(.channel, name: name, bytes: Self.json(handover)))
        }
        try successor.send(SuccessionMessage(.yours))
    }

    private func expect(
        _ kind: SuccessionMessage.Kind,
        from successor: any Successor
    ) async throws(SuccessionError) -> SuccessionMessage {
        let message = await withTaskGroup(of: SuccessionMessage?.self) { group in
            group.addTask { await successor.next() }
            group.addTask { [system] in
                await system.sleep(Self.patience)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        if let message, message.kind == .refused {
            throw SuccessionError(String(decoding: message.bytes, as: UTF8.self))
        }
        guard let message, message.kind == kind else {
            throw SuccessionError("the new process did not reach '\(kind)'")
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
