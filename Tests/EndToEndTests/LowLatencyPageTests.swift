import Foundation
import TestSupport
import Testing

/// The player page with channels of low latency, in Chromium.
@Suite(.timeLimit(.minutes(5))) struct LowLatencyPageTests {
    private struct Seen: Decodable {
        var modules: Modules
        /// Seconds behind this machine's clock.
        var latency: [Double]
        var words: String

        var medianLatency: Double { latency.sorted()[latency.count / 2] }
    }

    /// The results of the page's modules by themselves.
    private struct Modules: Decodable {
        struct Position: Decodable, Equatable {
            var sequence: Int
            var part: Int
        }
        struct Steering: Decodable, Equatable {
            var seekTo: Double?
            var rate: Double?
        }
        var next: Position
        var edge: Double
        var reload: String
        var fromTheStart: [String]
        var fromWithin: [String]
        var starts: [Double]
        var gaps: [Bool]
        var clock: [Double?]
        var steer: [Steering]
    }

    private static func seen(_ settings: String) async throws -> Seen {
        let directory = try TemporaryDirectory()
        let channels = ["live", "other"]
        let list = channels.map { "  - {name: \($0), input: \(Repository.feed), loop: true}\n" }.joined()
        let path = try directory.write("segment-duration: 2\n\(settings)\nchannels:\n\(list)", to: "packager.yaml")
        let packager = try await PackagerProcess(["--config", path])
        let script = Repository.script("EndToEndTests/Browser/low_latency.py")
        // It fails unless the channels side by side come within 40 ms of each other, and stay there.
        let arguments = [script, "--side-by-side", "0", "--patience", "120", "\(packager.origin)/"] + channels
        let output = try await Program.run(Repository.python, arguments)
        print(output)
        await packager.end()
        return try JSONDecoder().decode(Seen.self, from: Data(output.utf8))
    }

    /// Keys change with each second slot, which hls.js 1.6 does not play.
    ///
    /// By segments it would be nine seconds behind at least.
    @Test func playsPartsAndSeveralChannelsInTime() async throws {
        let seen = try await Self.seen(
            "part-duration: 0.5\nencryption: sample-aes\ndrm: clearkey\nkey-rotation: 4"
        )
        #expect(seen.words.hasPrefix("parts of 0.5 s, 1.5 s behind the newest"), "\(seen.words)")
        #expect(seen.medianLatency < 4, "\(seen.latency)")
        let modules = seen.modules
        #expect(modules.next == .init(sequence: 8, part: 2) && modules.edge == 18)
        #expect(modules.reload == "http://h/x.m3u8?token=t&_HLS_msn=8&_HLS_part=2")
        #expect(modules.fromTheStart == ["7.m4s", "8.0.m4s", "8.1.m4s"])
        #expect(modules.fromWithin == ["7.0.m4s", "7.1.m4s", "8.0.m4s", "8.1.m4s"])
        #expect(modules.starts == [14, 14, 16] && modules.gaps == [false, true])
        #expect(modules.clock == [nil, 95, 96, 107])
        let rates = [1.05, 0.9, 1, 1.01, 0.99, 1]
        let steering = [Modules.Steering(seekTo: 12)] + rates.map { Modules.Steering(rate: $0) }
        #expect(modules.steer == steering)
    }
}
