import Foundation
import Playlists
import TestSupport
import Testing

/// `--clear-lead`, as players and other packagers see it.
@Suite struct ClearLeadTests {
    /// Chromium begins with what is clear and continues with what is not; `packager check` watches that happen.
    @Test(
        arguments: [
            "--format fmp4 --encryption sample-aes --drm clearkey", "--format fmp4 --encryption sample-aes-ctr",
            "--format ts --encryption aes-128",
        ].oneIn(2)
    )
    func chromiumPlaysAcrossItsEnd(options: String) async throws {
        let packager = try await PackagerProcess(
            [
                "--input", Repository.feed, "--loop", "--segment-duration", "1", "--window", "300", "--clear-lead",
                "7.5", "--key-rotation", "60",
            ] + options.split(separator: " ").map(String.init)
        )
        let playlist = try await packager.mediaPlaylist("video-360p", "six segments") { $0.segments.count >= 6 }
        // What comes behind them may be there already.
        #expect(playlist.segments.prefix(6).allSatisfy { $0.keys.isEmpty })
        #expect(try await packager.text("index.m3u8").contains("#EXT-X-SESSION-KEY:"))
        let check = try Program(Repository.packager, ["check", packager.url("index.m3u8"), "--duration", "5"])
        // Chromium's own HLS, which plays transport streams, does not say which keys it uses.
        let periods = options.hasPrefix("--format ts") ? [] : ["--min-periods", "1"]
        let conditions = ["--minimum-advance", "8", "--maximum-stall", "2"] + periods
        try await PlayerPage.play(packager.url(""), conditions)
        #expect(await check.exitCode() == 0, "\(check.output)")
        let segments = try await packager.mediaPlaylist("video-360p", "its end") { $0.segments.count > 9 }.segments
        #expect(segments.prefix(while: { $0.keys.isEmpty }).count == 8)
        #expect(segments.dropFirst(8).allSatisfy { !$0.keys.isEmpty })
        await packager.end()
    }

    @Test(
        arguments: [
            "--format fmp4 --encryption aes-128", "--format fmp4 --encryption aes-128 --encrypt-init",
            "--format ts --encryption aes-128",
        ]
    )
    func ffmpegReadsAllOfIt(options: String) async throws {
        let packager = try await PackagerProcess(
            [
                "--input", Repository.feed, "--no-realtime", "--segment-duration", "2", "--window", "60",
                "--clear-lead", "4",
            ] + options.split(separator: " ").map(String.init)
        )
        let playlist = try await packager.mediaPlaylist("video-360p", "all of it") { $0.isEnded }
        #expect(playlist.segments.prefix(3).map(\.keys.isEmpty) == [true, true, false])
        let feed = try await Frames.decoded(["-i", Repository.feed], "v:0")
        let frames = try await Frames.decoded(["-i", packager.url("video-360p.m3u8")], "v:0")
        #expect(frames.map(\.checksum) == feed.map(\.checksum))
        await packager.end()
    }

    /// hls.js knows SAMPLE-AES where pictures and audio share their segments.
    ///
    /// FFmpeg crashes there: it makes its cipher with the first segment.
    @Test func hlsjsPlaysAcrossItsEnd() async throws {
        let directory = try TemporaryDirectory()
        let feed = directory.file("feed.ts")
        let tracks = ["-map", "0:v", "-map", "0:a:0", "-c", "copy"]
        try await Program.run("ffmpeg", ["-v", "error", "-i", Repository.feed] + tracks + [feed])
        let packager = try await PackagerProcess([
            "--input", feed, "--no-realtime", "--segment-duration", "1", "--window", "60", "--clear-lead", "2",
            "--format", "ts", "--encryption", "sample-aes",
        ])
        let segments = try await packager.mediaPlaylist("video-360p", "all of it") { $0.isEnded }.segments
        #expect(segments.prefix(3).map { $0.keys.isEmpty } == [true, true, false])
        #expect(segments.prefix(3).map(\.startsDiscontinuity) == [false, false, true])
        let script = Repository.script("EndToEndTests/Browser/watch.py")
        let stream = "hls.js=\(packager.url("index.m3u8"))"
        print(try await Program.run(Repository.python, [script, "--minimum-advance", "4", stream]))
        await packager.end()
    }
}
