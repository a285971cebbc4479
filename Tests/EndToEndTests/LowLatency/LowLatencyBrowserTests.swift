import Foundation
import TestSupport
import Testing

/// Low latency on the screen of a player that is not ours.
@Suite(.timeLimit(.minutes(5))) struct LowLatencyBrowserTests {
    /// hls.js in Chromium, in low-latency mode: from the encoder to the screen.
    ///
    /// It keeps PART-HOLD-BACK, three parts, where it is not told otherwise.
    @Test(arguments: [("0.25", "2", 1.5, []), ("1", "4", 3, ["--behind", "1.8"])].oneIn(2))
    func aBrowserIsCloseToTheEncoder(
        part: String,
        segment: String,
        limit: Double,
        options: [String]
    ) async throws {
        struct Seen: Decodable {
            var latency: Double
            var parts: Int
            var stalledSeconds: Double
            var problems: [String]
        }
        let port = Ports.free(datagram: true)
        let settings = ["--segment-duration", segment, "--part-duration", part, "--window", "60"]
        let packager = try await PackagerProcess(settings + ["--input", "udp://127.0.0.1:\(port)"])
        let sender = try FeedSender.udp(port: port)
        _ = try await PartReader(packager, "video-360p")
        let script = Repository.script("EndToEndTests/Browser/close_to_live.py")
        let output = try await Program.run(Repository.python, [script, packager.url("index.m3u8")] + options)
        print(output)
        let seen = try JSONDecoder().decode(Seen.self, from: Data(output.utf8))
        #expect(seen.problems.isEmpty)
        #expect(seen.parts >= 10)
        // A machine that is busy with other tests shows pictures late.
        #expect(seen.latency < (Extent.isWhole ? limit : 2 * limit), "\(output)\(packager.program.errors)")
        sender.program.kill()
        await packager.end()
    }
}
