import Foundation
import MediaCore
import Playlists
import Synchronization
import TestSupport

/// Feeds whose timestamps are UTC, and what the packagers that get them have in common.
final class PairFixture: Sendable {
    /// Twice as long as the feed's groups of pictures, in seconds.
    static let slotDuration = 2
    static let secret = String(repeating: "5a", count: 32)
    static let renditions = ["video-360p", "audio-en", "audio-de"]

    /// A file that is sent, and options of FFmpeg's.
    struct Feed: Sendable {
        var file = Repository.feed
        var options: [String] = []
    }

    /// The relay of the first feed.
    var relay: DatagramRelay { relays[0] }
    private let relays: [DatagramRelay]
    /// The ports of each receiver, by feed.
    private let ports: [[Int]]
    private let senders: Mutex<[FeedSender]>
    private let directory: TemporaryDirectory

    /// - Parameters:
    ///   - count: How many packagers get the feeds.
    ///   - feeds: Each an input of all packagers.
    /// - Throws: If FFmpeg is not installed.
    init(count: Int = 2, feeds: [Feed] = [Feed()]) throws {
        directory = try TemporaryDirectory()
        let ports = feeds.map { _ in (0..<count).map { _ in Ports.free(datagram: true) } }
        let relays = ports.map { DatagramRelay(to: $0) }
        let utc = FeedSender.utc
        senders = Mutex(
            try zip(feeds, relays).map { feed, relay in
                try .udp(port: relay.port, options: feed.options + utc, feed: feed.file)
            }
        )
        (self.ports, self.relays) = (ports, relays)
    }

    /// Sends another feed from now on, in place of the first.
    func send(_ feed: Feed) async throws {
        let former = senders.withLock { $0[0] }
        former.program.kill()
        _ = await former.program.exitCode()
        let sender = try FeedSender.udp(port: relay.port, options: feed.options + FeedSender.utc, feed: feed.file)
        senders.withLock { $0[0] = sender }
    }

    /// The first feed's URL at a receiver.
    func feed(of receiver: Int) -> String { "udp://127.0.0.1:\(ports[0][receiver])" }

    /// Below its own directory.
    func file(_ name: String) -> String { directory.file(name) }

    /// The flags of every packager of the pair.
    func settings(secret: String = PairFixture.secret) throws -> [String: String] {
        let path = try directory.write(secret, to: "secret-\(secret.prefix(2))")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        return [
            "--segment-duration": "\(Self.slotDuration)", "--window": "12", "--clock": "pts",
            "--encryption": "sample-aes", "--key-rotation": "4", "--key-secret": path,
        ]
    }

    /// Starts a packager.
    ///
    /// - Parameters:
    ///   - receiver: Which of the relay's receivers it is.
    ///   - own: What only this one is told, by flag.
    ///   - secret: What its keys derive from.
    ///   - port: Where it listens; 0 for any that is free.
    /// - Returns: It, once it listens.
    /// - Throws: If it ends instead.
    func packager(
        _ receiver: Int,
        _ own: [String: String] = [:],
        secret: String = PairFixture.secret,
        port: Int = 0
    ) async throws -> PackagerProcess {
        let settings = try settings(secret: secret).merging(own) { _, own in own }
        return try await PackagerProcess(
            settings.flatMap { [$0, $1] } + ports.flatMap { ["--input", "udp://127.0.0.1:\($0[receiver])"] },
            port: port
        )
    }

    /// Starts two packagers, the second once the first has something that it can take over.
    ///
    /// - Parameter own: What only the second one is told, by flag.
    /// - Returns: Both, once the second has published media of its own.
    /// - Throws: If one of them ends instead.
    func packagers(_ own: [String: String] = [:]) async throws -> (PackagerProcess, PackagerProcess) {
        // Each is the other's peer.
        let port = Ports.free()
        let first = try await packager(0, ["--peer": "http://127.0.0.1:\(port)"])
        _ = try await first.mediaPlaylist("video-360p", "what bandwidths are measured over") { $0.segments.count >= 3 }
        let second = try await packager(1, own.merging(["--peer": first.origin]) { own, _ in own }, port: port)
        let slot = Self.slot
        _ = try await second.mediaPlaylist("video-360p", "media of its own") { playlist in
            let newest = playlist.mediaSequence.value + Int64(playlist.segments.count) - 1
            return newest > slot + 1 && playlist.segments.last?.isGap == false
        }
        return (first, second)
    }

    /// The slot that is on air now.
    static var slot: Int64 { Int64(Date.now.timeIntervalSince1970) / Int64(slotDuration) }
}
