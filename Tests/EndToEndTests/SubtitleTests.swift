import Foundation
import MediaCore
import Playlists
import TestSupport
import Testing

/// Subtitles from a file, from the control API and from a feed, as players show them.
@Suite struct SubtitleTests {
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
        let slot = try await packager.show(#"{"language": "de", "text": "Guten Tag", "duration": 300}"#)
        #expect(try await packager.text(of: slot, in: "text-de").contains("\nGuten Tag\n"))
        let script = Repository.script("EndToEndTests/Browser/subtitles.py")
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
        try await packager.expectConformance(seconds: 2)
        await packager.end()
    }

    /// FFmpeg takes all subtitles for WebVTT; its version 8 opens no playlist that names others.
    @Test(arguments: FFmpegGeneration.allCases) func imsc1KeepsNoFFmpegOut(generation: FFmpegGeneration) async throws {
        let packager = try await PackagerProcess([
            "--input", Repository.smallFeed, "--loop", "--segment-duration", "1", "--window", "12",
            "--subtitles", "en", "--subtitle-formats", "webvtt,imsc1",
        ])
        _ = try await packager.mediaPlaylist("text-en-2", "three segments") { $0.segments.count >= 3 }
        let read = try await Program.run(
            generation.ffmpeg,
            [
                "-v", "error", "-i", packager.url("index.m3u8"), "-map", "0:v:0", "-frames:v", "25", "-f", "framemd5",
                "-",
            ]
        )
        #expect(read.split(separator: "\n").filter { !$0.hasPrefix("#") }.count == 25, "\(read)")
        let index = try MultivariantPlaylist(parsing: try await packager.text("index-imsc1.m3u8"))
        #expect(index.variants.map(\.subtitlesGroup) == ["subtitles", "subtitles-imsc1"])
        await packager.end()
    }

    @Test func playersShowTeletextInItsMoment() async throws {
        let port = Ports.free(datagram: true)
        let feed = try FeedSubtitleTests.teletext(
            port: port,
            pages: ["888:eng", "150:ger:2:Guten Tag", "151:ger:5:[Musik]"]
        )
        defer { feed.kill() }
        let packager = try await PackagerProcess([
            "--input", "udp://127.0.0.1:\(port)", "--clock", "pts", "--segment-duration", "1", "--window", "12",
            "--subtitle-formats", "webvtt,imsc1",
        ])
        _ = try await packager.mediaPlaylist("text-en", "six segments") { $0.segments.count >= 6 }
        let index = try await packager.text("index.m3u8")
        #expect(
            index.contains(#"NAME="German SDH",LANGUAGE="de",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,CHARACTERISTICS="#)
        )
        print(
            try await Program.run(
                Repository.python,
                [
                    Repository.script("EndToEndTests/Browser/subtitles.py"), packager.url(""), "--german",
                    "<c.yellow>Guten Tag</c>",
                    "--imsc", "--seconds", "60",
                ]
            )
        )
        try await packager.expectConformance(seconds: 2)
        await packager.end()
    }
}
