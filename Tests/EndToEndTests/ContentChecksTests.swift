import Foundation
import TestSupport
import Testing

/// Frozen pictures and silence of a real encoder, over the network, to what the operator is told.
@Suite(.timeLimit(.minutes(5)))
struct ContentChecksTests {
    private struct Channel: Decodable {
        var inputs: [Input]

        struct Input: Decodable {
            var isFrozen: Bool
            var isSilent: Bool
            var score: Int
        }
    }

    /// x264 holds its bit rate whatever it is fed, and FFmpeg's AAC has silent frames of two sizes.
    @Test func aCameraThatFreezesAndFallsSilentGivesWayToTheBackup() async throws {
        let ports = [Ports.free(datagram: true), Ports.free(datagram: true)]
        let urls = ports.map { "udp://127.0.0.1:\($0)" }
        let packager = try await PackagerProcess(
            [
                "--input", urls[0], "--backup", urls[1], "--segment-duration", "2", "--window", "20",
                "--frozen-after", "4", "--silent-after", "4",
            ]
        )
        func encoder(to url: String, freezesAfter pictures: Int?) throws -> Program {
            var (still, volume) = ("", "1")
            if let pictures {
                still = ",loop=loop=-1:size=1:start=\(pictures),setpts=N/25/TB"
                volume = "if(lt(t,\(pictures)/25),1,0)"
            }
            let codecs = "-c:v libx264 -preset ultrafast -tune zerolatency -b:v 400k -g 25 -pix_fmt yuv420p -c:a aac"
            var arguments: [String] = ["-v", "error", "-nostdin"]
            arguments += ["-re", "-f", "lavfi", "-i", "testsrc2=s=640x360:r=25\(still)"]
            arguments += ["-re", "-f", "lavfi", "-i", "sine=r=48000,volume='\(volume)':eval=frame"]
            arguments += codecs.split(separator: " ").map(String.init)
            arguments += ["-t", "90", "-f", "mpegts", "\(url)?pkt_size=1316"]
            return try Program("ffmpeg", arguments)
        }
        let encoders = [
            try encoder(to: urls[0], freezesAfter: 250), try encoder(to: urls[1], freezesAfter: nil),
        ]
        defer { for encoder in encoders { encoder.kill() } }
        let control = try packager.control
        @Sendable func channel() async throws -> Channel {
            try JSONDecoder().decode(Channel.self, from: try await HTTP.body("\(control)/channels/live"))
        }
        _ = try await eventually(within: 60, "the picture is found frozen and the audio silent") {
            let input = try await channel().inputs[0]
            return input.isFrozen && input.isSilent ? true : nil
        }
        _ = try await eventually(within: 20, "the backup fills the slots") {
            packager.program.errors.contains("input switched") ? true : nil
        }
        let backup = try #require(try await channel().inputs.last)
        #expect(!backup.isFrozen && !backup.isSilent)
        // An encoder that was late for a moment has lines of its own.
        let log = packager.program.errors
        let health = log.split(separator: "\n").filter { $0.contains("input health") }
        let seconds = health.compactMap { line in
            line.firstMatch(of: /(?:has shown the same picture|silent) for (\d+)\./).flatMap { Int($0.output.1) }
        }
        #expect(seconds.first.map { (4..<10).contains($0) } == true, "\(log)")
        await packager.end()
    }
}
