import Foundation
import Playlists
import Synchronization
import TestSupport
import Testing

/// Crowds at the listeners of RTMP and SRT that know no key: memory stays within what `docs/limits.md` says, an encoder
/// gets in meanwhile, and the log stays short.
@Suite(.serialized, .timeLimit(.minutes(10))) struct PublisherFloodTests {
    struct Crowd: CustomTestStringConvertible {
        var attack: String
        /// Sockets, and the addresses that they come from; 0 for the encoder's own.
        var connections = 200
        var addresses = 1
        var streamID = "guess"

        var testDescription: String { "\(attack) from \(addresses) addresses" }
        var arguments: [String] {
            // At its own address, a crowd that comes faster than the encoder speaks displaces it: how fast that is
            // depends on the machine.
            [attack, "--connections", "\(connections)", "--addresses", "\(addresses)", "--stream-id", streamID]
                + (addresses == 0 ? ["--rate", "500"] : [])
        }
    }

    /// Megabytes that a crowd may add, of which the program's own work on a feed that is published is some.
    private static let mostMemory = 64
    /// The encoder's own connection costs some of it.
    private static let mostSeconds = 30.0
    /// Lines of the log for a minute of crowds: starting, publishing, and what a crowd is worth.
    private static let mostLines = 40

    private static let rtmp: [Crowd] =
        [
            "idle", "half", "slow", "pings", "commands", "connects", "giants", "chunks", "streams", "values", "guesses",
        ].map { Crowd(attack: $0) } + [
            Crowd(attack: "idle", addresses: 100), Crowd(attack: "idle", addresses: 0),
            Crowd(attack: "guesses", addresses: 100),
        ]

    @Test(arguments: rtmp.oneIn(4))
    func encoderPublishesOverRTMPAmongStrangers(crowd: Crowd) async throws {
        let port = Ports.free()
        let url = "rtmp://127.0.0.1:\(port)/live/secret"
        let log = try await Self.publish(
            to: url,
            in: ["rtmp", "\(port)"] + crowd.arguments,
            by: ["-map", "-0:a:1", "-f", "flv", url]
        )
        if crowd.attack == "idle", crowd.addresses == 1 {
            let line = try #require(log.first { $0.contains("many connections without a stream key from one network") })
            #expect(line.contains("peer=127.0.1.1") && line.contains("do=") && line.contains("viewers="))
        }
    }

    private static let srt = [
        Crowd(attack: "inductions", connections: 40), Crowd(attack: "inductions", connections: 400, addresses: 100),
        Crowd(attack: "conclusions", connections: 40), Crowd(attack: "forgeries", connections: 40),
        Crowd(attack: "noise", connections: 40), Crowd(attack: "inductions", connections: 40, addresses: 0),
        // The right stream without its passphrase: the listener behind the gate says no.
        Crowd(attack: "conclusions", connections: 40, streamID: "secret"),
    ]

    @Test(arguments: srt.oneIn(3))
    func encoderPublishesOverSRTAmongStrangers(crowd: Crowd) async throws {
        let port = Ports.free(datagram: true)
        let rules = "streamid=secret&passphrase=0123456789abc"
        _ = try await Self.publish(
            to: "srt://127.0.0.1:\(port)?mode=listener&\(rules)",
            in: ["srt", "\(port)"] + crowd.arguments,
            by: ["-f", "mpegts", "srt://127.0.0.1:\(port)?\(rules)"]
        )
    }

    /// An encoder that calls again where it is cut off, as encoders do.
    private final class Encoder: Sendable {
        private let destination: [String]
        private let sender: Mutex<FeedSender>

        init(to destination: [String]) throws {
            self.destination = destination
            sender = Mutex(try FeedSender(to: destination))
        }

        var isRunning: Bool { sender.withLock { $0.program.isRunning } }

        func callAgain() throws {
            if !isRunning {
                let next = try FeedSender(to: destination)
                sender.withLock { $0 = next }
            }
        }

        func end() { sender.withLock { $0.program.kill() } }
    }

    /// Publishes among a crowd, and prints what that took.
    ///
    /// - Returns: The log's lines.
    private static func publish(
        to input: String,
        in crowd: [String],
        by destination: [String]
    ) async throws -> [Substring] {
        let packager = try await PackagerProcess(["--input", input, "--segment-duration", "1"])
        let before = try memory(of: packager.program)
        let stop = Pipe()
        let script = Repository.script("EndToEndTests/Security/publishers.py")
        let strangers = try Program(Repository.python, [script] + crowd, input: stop)
        _ = try await eventually(within: 30, "there is a crowd") { () async throws -> Bool? in
            if !strangers.isRunning { throw Program.Failure(description: strangers.errors) }
            return strangers.output.hasPrefix("crowded") ? true : nil
        }
        let start = ContinuousClock.now
        let encoder = try Encoder(to: destination)
        _ = try await eventually(within: mostSeconds, "the encoder is on air") { () async throws -> Bool? in
            if packager.program.errors.contains("on air") { return true }
            try encoder.callAgain()
            return nil
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        // It continues while they do.
        _ = try await packager.mediaPlaylist("video-360p", "three segments") { $0.segments.count >= 3 }
        #expect(encoder.isRunning)
        #expect(strangers.isRunning)
        let grown = try memory(of: packager.program) - before
        try stop.fileHandleForWriting.close()
        _ = await strangers.exitCode()
        let log = packager.program.errors.split(separator: "\n")
        let counts = strangers.output.split(separator: "\n").last ?? ""
        print(
            "\(crowd.joined(separator: " ")): \(grown) MB more, published after \(seconds) s, \(log.count) lines; \(counts)"
        )
        #expect(grown < mostMemory)
        #expect(log.count < mostLines)
        encoder.end()
        #expect(await packager.end() == 0)
        return log
    }

    /// The most megabytes of a process that were in memory at one time.
    private static func memory(of program: Program) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(program.identifier)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(line.split(separator: " ").dropLast().last.flatMap { Int($0) }) / 1024
    }
}
