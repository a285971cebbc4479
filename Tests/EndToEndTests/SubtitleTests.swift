import Foundation
import MediaCore
import Playlists
import TestSupport
import Testing

/// Subtitles from a file and from the operator face, as players show them.
@Suite(.serialized) struct SubtitleTests {
    private struct Answer: Decodable {
        struct Cue: Decodable {
            var slot: Int64?
        }

        var cues: [Cue]
    }

    /// A cue for each second of the next minutes, which says its time of day.
    private static func document() -> String {
        let now = Int64(Date.now.timeIntervalSince1970)
        let midnight = now - now % 86_400
        let cues = (now - 20..<now + 180).map { second in
            let time = { (second: Int64) in
                String(format: "%02d:%02d:%02d", second / 3600, second / 60 % 60, second % 60)
            }
            let label = String(MediaTime(seconds: second).iso8601.dropFirst(11).prefix(8))
            return "\(time(second - midnight)).000 --> \(time(second + 1 - midnight)).000\n\(label)\n\n"
        }
        return "WEBVTT\n\n" + cues.joined()
    }

    @Test func playersShowWhatIsSaidInItsMoment() async throws {
        let directory = try TemporaryDirectory()
        let packager = try await PackagerProcess([
            "--input", Repository.feed, "--loop", "--segment-duration", "1", "--window", "12", "--encryption",
            "aes-128",
            "--subtitles", "en=\(directory.write(Self.document(), to: "captions.vtt"))", "--subtitles", "de",
            "--subtitle-formats", "webvtt,imsc1",
        ])
        _ = try await packager.mediaPlaylist("text-en", "six segments") { $0.segments.count >= 6 }
        let answer = try await HTTP.get(
            "\(packager.control)/channels/live/cues",
            method: "POST",
            fields: ["Content-Type": "application/json"],
            sending: #"{"language": "de", "text": "Guten Tag", "duration": 300}"#
        )
        let slot = try #require(try JSONDecoder().decode(Answer.self, from: answer.body).cues.first?.slot)
        let german = try await packager.mediaPlaylist("text-de", "the slot that was answered") {
            $0.mediaSequence.value + Int64($0.segments.count) > slot
        }
        let segment = try #require(german.segments.first { $0.uri.hasSuffix("/\(slot).vtt") })
        #expect(try await packager.text(segment.uri).contains("\nGuten Tag\n"))
        let script = Repository.root.appending(path: "Tests/EndToEndTests/Browser/subtitles.py").path
        print(
            try await Program.run(
                Repository.python,
                [script, packager.url(""), "--german", "Guten Tag", "--imsc", "--seconds", "90"]
            )
        )
        // Another reader.
        let url = packager.url(try #require(try await packager.mediaPlaylist("text-de").segments.last).uri)
        let read = try await Program.run("ffmpeg", ["-v", "error", "-i", url, "-f", "webvtt", "-"])
        #expect(read.contains("Guten Tag"))
        let check = try Program(Repository.packager, ["check", packager.url("index.m3u8"), "--duration", "2"])
        let code = await check.exitCode()
        #expect(code == 0, "\(check.output)")
        await packager.end()
    }
}
