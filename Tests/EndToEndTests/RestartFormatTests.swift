import Foundation
import MediaCore
import Playlists
import TestSupport
import Testing

/// A packager that was killed continues under the same names, whatever its channel is made of.
@Suite struct RestartFormatTests {
    enum Channel: String, CaseIterable {
        case transportStream, encryptedTransportStream, captions

        var flags: [String] {
            switch self {
            case .transportStream: ["--format", "ts"]
            case .encryptedTransportStream: ["--format", "ts", "--encryption", "sample-aes"]
            case .captions: []
            }
        }

        /// The feed, or one with captions in its pictures.
        func feed() async throws -> String {
            guard self == .captions else { return Repository.feed }
            return try await FeedStore.shared.file(Self.sample.edited("sample-captions", .captions))
        }

        private static let sample = FeedRecipe("sample", .encoded(["-i", Repository.feed, "-map", "0", "-c", "copy"]))
    }

    @Test(arguments: Channel.allCases) func namesAndDeclarationsGoOn(channel: Channel) async throws {
        let port = Ports.free(datagram: true)
        let directory = try TemporaryDirectory()
        let arguments =
            ["--segment-duration", "1", "--window", "60", "--state", directory.file("state")] + channel.flags
            + ["--input", "udp://127.0.0.1:\(port)"]
        let options = channel == .captions ? [] : ["-map", "-0:a:1"]
        let sender = try FeedSender.udp(port: port, options: options, feed: try await channel.feed())
        let first = try await PackagerProcess(arguments)
        let before = try await first.mediaPlaylist("video-360p", "four segments") { $0.segments.count >= 4 }
        let declared = Self.withoutMeasures(try await first.text("index.m3u8"))
        #expect(declared.contains("CC1") == (channel == .captions), "\(declared)")
        first.program.kill()
        _ = await first.program.exitCode()
        let second = try await PackagerProcess(arguments)
        #expect(Self.withoutMeasures(try await second.text("index.m3u8")) == declared)
        let after = try await second.mediaPlaylist("video-360p", "media after the kill") { playlist in
            playlist.segments.dropFirst(before.segments.count).suffix(2).count { !$0.isGap } == 2
        }
        #expect(Array(after.segments.prefix(before.segments.count)) == before.segments)
        #expect(
            after.segments.allSatisfy { !$0.startsDiscontinuity } && after.discontinuitySequence == 0,
            "\(after.render())\n\(second.program.errors)"
        )
        #expect(Self.withoutMeasures(try await second.text("index.m3u8")) == declared)
        let names = Set(after.segments.map { $0.uri.prefix { $0 != "/" } })
        #expect(names == ["video-360p"])
        sender.program.kill()
        await second.end()
    }

    private static func withoutMeasures(_ text: String) -> String {
        text.replacing(/BANDWIDTH=\d+/, with: "BANDWIDTH=…")
    }
}
