import Foundation
import TestSupport
import Testing

/// Players in low-latency mode for as long as a programme.
@Suite(.enabled(if: Extent.isWhole)) struct LowLatencyEnduranceTests {
    private struct Seen: Decodable {
        var stalledSeconds: Double
        var problems: [String]
    }

    @Test(.timeLimit(.minutes(20))) func tenMinutesWithoutAStall() async throws {
        let port = Ports.free(datagram: true)
        let packager = try await PackagerProcess([
            "--segment-duration", "4", "--part-duration", "1", "--window", "60", "--input", "udp://127.0.0.1:\(port)",
        ])
        let relay = DatagramRelay(to: [port])
        let sender = try FeedSender(
            to: ["-f", "mpegts", "udp://127.0.0.1:\(relay.port)?pkt_size=1316"],
            rounds: 120
        )
        _ = try await PartReader(packager, "video-360p")
        let script = Repository.script("EndToEndTests/Browser/close_to_live.py")
        let output = try await Program.run(
            Repository.python,
            [script, packager.url("index.m3u8"), "--seconds", "600"]
        )
        print(output)
        let seen = try JSONDecoder().decode(Seen.self, from: Data(output.utf8))
        #expect(seen.problems.isEmpty)
        let pause = relay.longestPause?.seconds ?? 0
        // Players are three parts behind.
        #expect(seen.stalledSeconds == 0 || pause > 1, "\(packager.program.errors)")
        sender.program.kill()
        await packager.end()
    }

    /// Two channels of one encoder side by side on the player page, by EXT-X-PROGRAM-DATE-TIME.
    @Test(.timeLimit(.minutes(20))) func tenMinutesWithinAPicture() async throws {
        struct Apart: Decodable {
            /// Seconds from one channel to the other, four times a second while both play.
            var apart: [Double]
            /// The samples in which one of them did not play.
            var stopped: Int
            var problems: [String]
        }
        let directory = try TemporaryDirectory()
        let names = ["live", "other"]
        let ports = names.map { _ in Ports.free(datagram: true) }
        let list = zip(names, ports).map { "  - {name: \($0), input: 'udp://127.0.0.1:\($1)'}\n" }.joined()
        let settings = "segment-duration: 2\npart-duration: 0.5\nclock: pts\n"
        let path = try directory.write("\(settings)channels:\n\(list)", to: "packager.yaml")
        let packager = try await PackagerProcess(["--config", path])
        let relay = DatagramRelay(to: ports)
        let sender = try FeedSender(
            to: ["-f", "mpegts", "udp://127.0.0.1:\(relay.port)?pkt_size=1316"],
            options: FeedSender.utc,
            rounds: 120
        )
        let script = Repository.script("EndToEndTests/Browser/low_latency.py")
        let options = ["--side-by-side", "600", "--patience", "120"]
        let output = try await Program.run(Repository.python, [script, "\(packager.origin)/"] + names + options)
        let seen = try JSONDecoder().decode(Apart.self, from: Data(output.utf8))
        let apart = seen.apart.sorted()
        let most = try #require(apart.last)
        print("apart \(apart[apart.count / 2]) s (half), \(apart[apart.count * 99 / 100]) s (99 %), \(most) s (most)")
        #expect(seen.problems.isEmpty, "\(seen.problems)")
        let pause = relay.longestPause?.seconds ?? 0
        // A channel that has stopped has to find the other again.
        let isSteady = seen.stopped == 0 && most < 0.04
        #expect(isSteady || pause > 0.5, "\(seen.stopped) samples without play\n\(packager.program.errors)")
        #expect(apart[apart.count * 95 / 100] < 0.04)
        sender.program.kill()
        await packager.end()
    }
}
