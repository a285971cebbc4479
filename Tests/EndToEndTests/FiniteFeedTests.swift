import Foundation
import Playlists
import TestSupport
import Testing

/// A file in, all of it out: every picture that the packager publishes is a picture of the feed.
@Suite(.serialized) struct FiniteFeedTests {
    private let common = [
        "--input", Repository.feed, "--no-realtime", "--segment-duration", "2", "--window", "60",
    ]

    @Test(arguments: ["none", "aes-128"])
    func everyPictureOfTheMultivariantPlaylistIsTheFeeds(encryption: String) async throws {
        let packager = try await PackagerProcess(common + ["--encryption", encryption, "--key-rotation", "4"])
        _ = try await packager.mediaPlaylist("video-360p", "the stream ends") { $0.isEnded }
        let frames = try await Frames.checksums(playlistOptions + [packager.url("index.m3u8")])
        #expect(try await frames == Frames.ofSample())
        #expect(await packager.end() == 0)
    }

    @Test func everyPictureOfEachCryptoPeriodIsTheFeeds() async throws {
        let packager = try await PackagerProcess(common + ["--encryption", "sample-aes", "--key-rotation", "2"])
        let playlist = try await packager.mediaPlaylist("video-360p", "the stream ends") { $0.isEnded }
        let directory = try TemporaryDirectory()
        var frames: [String] = []
        let periods = playlist.periods(base: packager.url("").dropLast().description)
        #expect(periods.count >= 3, "keys change with every segment")
        for (index, period) in periods.enumerated() {
            let file = try directory.write(period.render(), to: "\(index).m3u8")
            frames += try await Frames.checksums(playlistOptions + [file])
        }
        #expect(try await frames == Frames.ofSample())
        #expect(Set(periods.compactMap(\.segments[0].keys.first)).count == periods.count)
        #expect(Set(periods.compactMap { $0.segments[0].map }).count == periods.count)
        await packager.end()
    }

    @Test func shakaPackagersDecryptorAgrees() async throws {
        let packager = try await PackagerProcess(common + ["--encryption", "sample-aes"])
        let playlist = try await packager.mediaPlaylist("video-360p", "the stream ends") { $0.isEnded }
        let periods = playlist.periods(base: packager.url("").dropLast().description)
        let directory = try TemporaryDirectory()
        let file = try await ShakaDecryptor.decrypt(try #require(periods.first), "video", in: directory)
        #expect(try await Frames.checksums(["-i", file]) == Frames.ofSample())
        await packager.end()
    }

    /// A pipe of an encoder that ends, and a file that is read no faster than it plays.
    @Test(arguments: [true, false]) func whatEndsInItsOwnTimeIsServedOn(isPiped: Bool) async throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("short.ts")
        try await Program.run("ffmpeg", ["-v", "error", "-t", "4", "-i", Repository.feed, "-c", "copy", file])
        let sender = try FeedSender(to: ["-f", "mpegts", "-"], feed: file, pipesOutput: true, rounds: 1)
        let packager = try await PackagerProcess(
            ["--segment-duration", "1", "--input", isPiped ? "-" : file],
            input: isPiped ? sender.program.outputPipe : nil
        )
        let playlist = try await packager.mediaPlaylist("video-360p", "the stream ends") { $0.isEnded }
        #expect(playlist.segments.count >= 3)
        #expect(try await packager.text("index.m3u8").contains("video-360p"))
        #expect(await packager.end() == 0, "\(packager.program.errors)")
    }

    @Test func filesAreTheSameBytesAndTheProgramEnds() async throws {
        let directory = try TemporaryDirectory()
        let packager = try await PackagerProcess(common + ["--output", directory.file("out")])
        #expect(await packager.program.exitCode() == 0)
        let frames = try await Frames.checksums(playlistOptions + [directory.file("out/index.m3u8")])
        #expect(try await frames == Frames.ofSample())
        let text = try String(contentsOfFile: directory.file("out/video-360p.m3u8"), encoding: .utf8)
        #expect(text.hasSuffix("#EXT-X-ENDLIST\n"))
    }

    @Test func anotherParserReadsThePlaylists() async throws {
        let packager = try await PackagerProcess(common + ["--encryption", "sample-aes", "--key-rotation", "2"])
        let ours = try await packager.mediaPlaylist("video-360p", "the stream ends") { $0.isEnded }
        let script = """
            import json, sys, m3u8
            top = m3u8.load(sys.argv[1])
            media = m3u8.load(sys.argv[2])
            print(json.dumps([
                len(top.playlists), len(top.media), len(top.session_keys), media.media_sequence,
                len(media.segments), len(media.keys), media.is_endlist, media.segments[-1].uri,
            ]))
            """
        let seen = try await Program.run(
            Repository.python,
            ["-c", script, packager.url("index.m3u8"), packager.url("video-360p.m3u8")]
        )
        let last = try #require(ours.segments.last).uri
        let count = ours.segments.count
        #expect(seen == "[1, 2, 4, \(ours.mediaSequence), \(count), \(count), true, \"\(last)\"]\n")
        await packager.end()
    }

    @Test func ffprobeSeesWhatThePlaylistSays() async throws {
        let packager = try await PackagerProcess(common)
        _ = try await packager.mediaPlaylist("video-360p", "the stream ends") { $0.isEnded }
        let text = try await packager.text("index.m3u8")
        #expect(text.contains("CODECS=\"avc1.64001e,mp4a.40.2\""), "\(text)")
        #expect(text.contains("RESOLUTION=640x360"))
        #expect(text.contains("FRAME-RATE=25.000"))
        let probed = try await Program.run(
            "ffprobe",
            [
                "-v", "error", "-allowed_extensions", "ALL", "-show_entries",
                "stream=codec_name,profile,level,width,height,channels", "-of", "compact",
            ]
                + [packager.url("index.m3u8")]
        )
        #expect(probed.contains("codec_name=h264|profile=High|width=640|height=360|level=30"), "\(probed)")
        #expect(probed.contains("codec_name=aac|profile=LC|channels=2"), "\(probed)")
        await packager.end()
    }
}
