import Foundation
import Playlists
import TestSupport
import Testing

/// Chromium by itself and hls.js play what they can decode and decrypt.
@Suite struct OtherPlayersTests {
    private struct Seen: Decodable {
        var url: String
        var player: String
        var ok: Bool
        var problems: [String]
    }

    /// The codecs that Chromium decodes.
    static let codecs = FormatMatrix.codecs.filter { ["H.264", "AV1", "AAC", "Opus", "FLAC"].contains($0.name) }

    /// The players that can decrypt it: Chromium has no SAMPLE-AES, and hls.js none in fMP4 without a key system.
    static func players(of format: SegmentFormat) -> [String] {
        switch (format.container, format.encryption) {
        case (_, .none), (.transportStream, .aes128): ["native", "hls.js"]
        // Chromium by itself plays no AES-128 in fMP4, whether the initialization section is clear or not.
        case (.fragmentedMP4, .aes128), (.transportStream, .sampleAES): ["hls.js"]
        default: []
        }
    }

    /// Players that are opened before the encoder is: they wait, and play without being opened again.
    @Test func waitForAChannelToBegin() async throws {
        let port = Ports.free(datagram: true)
        let packager = try await PackagerProcess(
            ["--input", "udp://127.0.0.1:\(port)", "--segment-duration", "1", "--window", "12"]
        )
        let script = Repository.script("EndToEndTests/Browser/watch.py")
        let players = ["native", "hls.js"]
        let program = try Program(
            Repository.python,
            // Longer than what they get at the start, so that they also have what comes next.
            [script, "--minimum-advance", "6"] + players.map { "\($0)=\(packager.url("index.m3u8"))" }
        )
        struct Origin: Decodable {
            var viewers: Int
        }
        let control = try packager.control
        _ = try await eventually(within: 30, "the players ask") {
            let origin = try JSONDecoder().decode(Origin.self, from: try await HTTP.body("\(control)/origin"))
            return origin.viewers > 0 ? true : nil
        }
        // Time has to pass, since only that shows patience: hls.js takes less from its first request to its last where
        // each is refused.
        try await Task.sleep(for: .seconds(5))
        let sender = try FeedSender.udp(port: port)
        #expect(await program.exitCode() == 0)
        let lines = try await eventually(within: 5, "both are seen") {
            let lines = program.output.split(separator: "\n")
            return lines.count == players.count ? lines : nil
        }
        for line in lines {
            let seen = try JSONDecoder().decode(Seen.self, from: Data(line.utf8))
            #expect(seen.ok, "\(line)")
        }
        sender.program.kill()
        await packager.end()
    }

    /// The files of a job are played from whatever serves them.
    @Test func playAFilmOfFiles() async throws {
        let directory = try TemporaryDirectory()
        let arguments = JobTests.arguments(try await JobTests.film(in: directory), directory.file("out"))
        let keys = ["--encryption", "aes-128", "--key-rotation", "4", "--output-keys", directory.file("out/keys")]
        let packager = try Program(Repository.packager, arguments + keys)
        #expect(await packager.exitCode() == 0, "\(packager.errors)")
        let port = Ports.free()
        let server = try Program(
            "python3",
            ["-m", "http.server", "\(port)", "--bind", "127.0.0.1", "--directory", directory.file("out")]
        )
        defer { server.kill() }
        let url = "http://127.0.0.1:\(port)/index.m3u8"
        _ = try await eventually(within: 10, "the files are served") { try? await HTTP.body(url) }
        let script = Repository.script("EndToEndTests/Browser/watch.py")
        print(try await Program.run(Repository.python, [script, "--minimum-advance", "6", "hls.js=\(url)"]))
    }

    /// EXT-X-PRELOAD-HINT with TYPE=KEY, which none of them knows.
    @Test func passOverAnnouncedKeys() async throws {
        let packager = try await PackagerProcess(
            [
                "--input", Repository.feed, "--loop", "--segment-duration", "1", "--window", "12", "--format", "ts",
                "--encryption", "aes-128", "--key-rotation", "4", "--key-hint", "identity",
            ]
        )
        _ = try await packager.mediaPlaylist("video-360p", "six segments") { $0.segments.count >= 6 }
        #expect(try await packager.text("video-360p.m3u8").contains("\n#EXT-X-PRELOAD-HINT:TYPE=KEY,URI=\"keys/"))
        let url = packager.url("index.m3u8")
        let script = Repository.script("EndToEndTests/Browser/watch.py")
        let streams = ["native", "hls.js"].map { "\($0)=\(url)" }
        print(try await Program.run(Repository.python, [script, "--minimum-advance", "8"] + streams))
        let ffmpeg = try await Program.run("ffmpeg", ["-v", "error", "-i", url, "-t", "8", "-f", "null", "-"])
        #expect(ffmpeg.isEmpty)
        await packager.end()
    }

    /// Both renditions of fMP4, a transport stream, and packed audio beside one, say what the feed said, at its time.
    @Test func readTimedMetadata() async throws {
        struct Seen: Decodable {
            struct Tag: Decodable {
                var time: Double
                var text: String
                /// The tag's text: its time in the feed, in ticks of 90 kHz. The bytes of a PRIV frame may look like digits.
                var ticks: Double? {
                    guard text.contains("TXXX") else { return nil }
                    return text.split(separator: "\0").last.flatMap { Double($0) }
                }
            }
            var tags: [Tag]
        }
        let directory = try TemporaryDirectory()
        let (long, feed) = (directory.file("long.ts"), directory.file("tagged.ts"))
        let sources = ["testsrc2=size=320x180:rate=25:duration=40", "sine=sample_rate=48000:duration=40"]
        let codecs = ["-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-pix_fmt", "yuv420p", "-c:a", "aac"]
        _ = try await Program.run(
            "ffmpeg",
            ["-v", "error"] + sources.flatMap { ["-f", "lavfi", "-i", $0] } + codecs + [long]
        )
        _ = try await Program.run(
            Repository.python,
            [Repository.script("TransportStreams/add_id3.py"), long, feed]
        )
        let (twoLanguages, spoken) = (directory.file("languages.ts"), directory.file("spoken.ts"))
        _ = try await Program.run(
            "ffmpeg",
            ["-v", "error", "-i", long, "-map", "0:v", "-map", "0:a", "-map", "0:a", "-c", "copy"]
                + ["-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=deu", twoLanguages]
        )
        _ = try await Program.run(
            Repository.python,
            [Repository.script("TransportStreams/add_id3.py"), twoLanguages, spoken]
        )
        var packagers: [PackagerProcess] = []
        for (format, feed) in [("fmp4", feed), ("ts", feed), ("ts", spoken)] {
            packagers.append(
                try await PackagerProcess(
                    ["--input", feed, "--segment-duration", "1", "--window", "12", "--format", format]
                )
            )
            _ = try await packagers.last?.mediaPlaylist("video-180p", "four segments") { $0.segments.count >= 4 }
        }
        let streams = packagers.map { "hls.js=\($0.url("index.m3u8"))" }
        let script = Repository.script("EndToEndTests/Browser/watch.py")
        let lines = try await Program.run(Repository.python, [script, "--minimum-advance", "6"] + streams)
        // Between frames of packed audio, 21.3 ms each, a tag has the time of one of them, and hls.js rounds where a
        // segment begins to milliseconds.
        let expected = [(copies: 2, spread: 0.001), (1, 0.001), (2, 0.0224)]
        for (line, (copies, spread)) in zip(lines.split(separator: "\n"), expected) {
            let tags = try JSONDecoder().decode(Seen.self, from: Data(line.utf8)).tags
            let told = Dictionary(grouping: tags.filter { $0.ticks != nil }) { $0.ticks ?? 0 }
            #expect(told.count >= 8, "\(line)")
            // The first and the newest may not have been read in both renditions.
            #expect(told.values.count { $0.count != copies } <= 4, "\(line)")
            let offsets = tags.compactMap { tag in tag.ticks.map { tag.time - $0 / 90_000 } }
            let (earliest, latest) = (try #require(offsets.min()), try #require(offsets.max()))
            #expect(latest - earliest < spread, "\(line)")
        }
        // Tags between frames disturb no decoder.
        let audio = packagers[2].url("audio-en.m3u8")
        let ffmpeg = try await Program.run("ffmpeg", ["-v", "error", "-i", audio, "-t", "4", "-f", "null", "-"])
        #expect(ffmpeg.isEmpty, "\(ffmpeg)")
        for packager in packagers { await packager.end() }
    }

    @Test func playWhatTheyCan() async throws {
        var packagers: [PackagerProcess] = []
        var streams: [String] = []
        // The first feed of AAC is that of H.264.
        for (feed, codecs) in Dictionary(grouping: Self.codecs, by: { $0.feeds[0] }) {
            for format in Set(codecs.flatMap(\.formats)) {
                let players = Self.players(of: format)
                guard !players.isEmpty else { continue }
                let published = try await PackagedFeed([feed], as: format)
                packagers.append(published.packager)
                streams += players.map { "\($0)=\(published.packager.url("index.m3u8"))" }
            }
        }
        let aes128 = SegmentFormat(.fragmentedMP4, .aes128)
        let sealed = try await PackagedFeed([.avc], as: aes128, options: ["--encrypt-init"])
        packagers.append(sealed.packager)
        streams.append("hls.js=\(sealed.packager.url("index.m3u8"))")
        let script = Repository.script("EndToEndTests/Browser/watch.py")
        let program = try Program(Repository.python, [script] + streams)
        _ = await program.exitCode()
        let count = streams.count
        let lines = try await eventually(within: 5, "all are seen") {
            let lines = program.output.split(separator: "\n")
            return lines.count == count ? lines : nil
        }
        for line in lines {
            let seen = try JSONDecoder().decode(Seen.self, from: Data(line.utf8))
            #expect(seen.ok, "\(line)")
        }
        for packager in packagers { await packager.end() }
    }
}
