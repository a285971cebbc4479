import Foundation
import MediaCore
import Playlists
import TestSupport
import Testing

/// Subtitles inside feeds, as players show them.
@Suite(.serialized) struct FeedSubtitleTests {
    private static func script(_ name: String) -> String {
        Repository.root.appending(path: "Tests/EndToEndTests/\(name)").path
    }

    /// A live feed with teletext, whose timestamps are UTC: a page that says the second that it is shown in, and others.
    private static func teletext(port: Int, pages: [String]) throws -> Program {
        try Program(
            Repository.python,
            [script("Text/teletext.py"), "--utc", "--send", "127.0.0.1:\(port)"] + pages.flatMap { ["--page", $0] }
                + [
                    "--", "ffmpeg", "-v", "error", "-nostdin", "-re", "-f", "lavfi", "-i",
                    "testsrc2=size=320x180:rate=25", "-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-bf", "0",
                ] + FeedSender.utc + ["-f", "mpegts", "-"]
        )
    }

    @Test func playersShowTeletextInItsMoment() async throws {
        let port = Ports.free(datagram: true)
        let feed = try Self.teletext(port: port, pages: ["888:eng", "150:ger:2:Guten Tag", "151:ger:5:[Musik]"])
        defer { feed.kill() }
        let packager = try await PackagerProcess([
            "--input", "udp://127.0.0.1:\(port)", "--clock", "pts", "--segment-duration", "1", "--window", "12",
            "--subtitle-formats", "webvtt,imsc1",
        ])
        _ = try await packager.mediaPlaylist("text-en", "six segments") { $0.segments.count >= 6 }
        let index = try await packager.text("index.m3u8")
        #expect(
            index.contains(#"NAME="de SDH",LANGUAGE="de",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,CHARACTERISTICS="public"#)
        )
        print(
            try await Program.run(
                Repository.python,
                [
                    Self.script("Browser/subtitles.py"), packager.url(""), "--german", "<c.yellow>Guten Tag</c>",
                    "--seconds", "60",
                ]
            )
        )
        let check = try Program(Repository.packager, ["check", packager.url("index.m3u8"), "--duration", "2"])
        let code = await check.exitCode()
        #expect(code == 0, "\(check.output)")
        await packager.end()
    }

    /// A backup's own teletext takes over with its pictures, in the same playlist.
    @Test func aBackupHasItsOwnTeletext() async throws {
        let ports = [Ports.free(datagram: true), Ports.free(datagram: true)]
        let primary = try Self.teletext(port: ports[0], pages: ["888:eng:2:primary"])
        let backup = try Self.teletext(port: ports[1], pages: ["777:eng:2:backup"])
        defer { backup.kill() }
        let packager = try await PackagerProcess([
            "--input", "udp://127.0.0.1:\(ports[0])", "--backup", "udp://127.0.0.1:\(ports[1])", "--clock", "pts",
            "--segment-duration", "1", "--window", "30",
        ])
        _ = try await packager.mediaPlaylist("text-en", "six segments") { $0.segments.count >= 6 }
        primary.kill()
        let last = try await eventually(within: 30, "the backup's text") {
            guard let segment = try await packager.mediaPlaylist("text-en").segments.last else { return nil as String? }
            return try await packager.text(segment.uri).contains("backup") ? segment.uri : nil
        }
        let playlist = try await packager.mediaPlaylist("text-en")
        var texts: [String] = []
        for segment in playlist.segments.prefix(6) { texts.append(try await packager.text(segment.uri)) }
        #expect(texts.contains { $0.contains("primary") })
        #expect(!playlist.segments.contains { $0.isGap })
        #expect(playlist.segments.contains { $0.uri == last })
        await packager.end()
    }
}
