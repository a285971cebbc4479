import Foundation
import MediaCore
import Playlists
import TestSupport
import Testing
import TimedText

/// Subtitles inside feeds.
@Suite struct FeedSubtitleTests {
    /// A live feed with teletext, whose timestamps are UTC: a page that says the second that it is shown in, and others.
    static func teletext(port: Int, pages: [String]) throws -> Program {
        try Program(
            Repository.python,
            [Repository.script("TransportStreams/teletext.py"), "--utc", "--send", "127.0.0.1:\(port)"]
                + pages.flatMap { ["--page", $0] }
                + [
                    "--", "ffmpeg", "-v", "error", "-nostdin", "-re", "-f", "lavfi", "-i",
                    "testsrc2=size=320x180:rate=25", "-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-bf", "0",
                ] + FeedSender.utc + ["-f", "mpegts", "-"]
        )
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
        #expect(!playlist.segments.contains { $0.isGap }, "\(playlist.render())\(packager.program.errors)")
        #expect(playlist.segments.contains { $0.uri == last })
        await packager.end()
    }

    /// After a kill the same playlist continues, with the same numbers.
    @Test func aRestartContinuesTeletext() async throws {
        let port = Ports.free(datagram: true)
        let directory = try TemporaryDirectory()
        let feed = try Self.teletext(port: port, pages: ["150:ger:5:[Musik]", "888:eng"])
        defer { feed.kill() }
        let arguments = [
            "--input", "udp://127.0.0.1:\(port)", "--clock", "pts", "--segment-duration", "1", "--window", "30",
            "--state",
            directory.file("state"), "--config",
            try directory.write(
                """
                subtitles:
                  - { language: fr }
                  - { language: en-GB, service: 888, name: Words, default: true, forced: false }
                """,
                to: "packager.yaml"
            ),
        ]
        let first = try await PackagerProcess(arguments)
        let before = try await first.mediaPlaylist("text-en-GB", "six segments") { $0.segments.count >= 6 }
        first.program.kill()
        _ = await first.program.exitCode()
        let second = try await PackagerProcess(arguments)
        let last = before.mediaSequence.value + Int64(before.segments.count)
        let after = try await second.mediaPlaylist("text-en-GB", "media after the kill") { playlist in
            playlist.mediaSequence.value + Int64(playlist.segments.count) > last + 5
                && playlist.segments.last?.isGap == false
        }
        #expect(after.mediaSequence == before.mediaSequence)
        #expect(after.segments.prefix(before.segments.count).map(\.uri) == before.segments.map(\.uri))
        #expect(try await second.text(try #require(after.segments.last).uri).contains(" --> "))
        let names = try await second.text("index.m3u8").split(separator: "\n").filter { $0.contains("TYPE=SUBTITLES") }
        #expect(names.count == 3, "\(names)")
        #expect(names.contains { $0.contains(#"NAME="Words",LANGUAGE="en-GB",DEFAULT=YES,AUTOSELECT=YES,FORCED=NO"#) })
        await second.end()
    }

    /// Two packagers that read one feed have the same cues, though one came later.
    @Test func membersOfAPairHaveTheSameTeletext() async throws {
        let ports = [Ports.free(datagram: true), Ports.free(datagram: true)]
        let relay = DatagramRelay(to: ports)
        let feed = try Self.teletext(port: relay.port, pages: ["888:eng"])
        defer { feed.kill() }
        let start = { (port: Int) in
            try await PackagerProcess([
                "--input", "udp://127.0.0.1:\(port)", "--clock", "pts", "--segment-duration", "2", "--window", "30",
            ])
        }
        let first = try await start(ports[0])
        _ = try await first.mediaPlaylist("text-en", "two segments") { $0.segments.count >= 2 }
        let second = try await start(ports[1])
        let others = try await second.mediaPlaylist("text-en", "five segments") { $0.segments.count >= 5 }
        // What was open when it came it knows by its repetition.
        for segment in others.segments.dropFirst().prefix(4) {
            let name = segment.uri
            let own = try await eventually(within: 10, name) { try await first.text(name) }
            #expect(try await second.text(name) == own)
            #expect(own.contains(" --> "))
        }
        await first.end()
        await second.end()
    }

    /// Reads a file's captions with FFmpeg's decoder: when each comes up and goes, in milliseconds, and its text.
    private static func read(_ file: String, field: String) async throws -> [String] {
        let text = try await Program.run(
            "ffmpeg",
            [
                "-v", "error", "-nostdin", "-data_field", field, "-f", "lavfi", "-i", "movie=\(file)[out0+subcc]",
                "-map", "0:s",
                "-f", "webvtt", "-",
            ]
        )
        return text.split(separator: "\n\n").dropFirst().map { cue in
            let lines = cue.split(separator: "\n")
            let words = lines.dropFirst().joined(separator: "|").replacing(/<[^>]*>|\{[^}]*\}|&nbsp;|\\h/, with: "")
            return "\(lines.first ?? "") \(words)"
        }
    }

    /// A file of 14 s with captions.
    private static func captions(
        in source: String,
        _ encoder: String,
        as codec: String,
        then options: String,
        to file: String
    )
        async throws
    {
        let format = codec == "av1" ? "obu" : codec
        let command =
            "ffmpeg -v error -f lavfi -i \(source)size=320x180:rate=25 -t 14 -g 25 \(encoder) -f \(format) - | "
            + "python3 \(Repository.script("EndToEndTests/Text/captions.py")) \(codec) | "
            + "ffmpeg -v error -f \(format) -framerate 25 -i - \(options) \(file)"
        _ = try await Program.run("/bin/sh", ["-c", command])
    }

    private static let baseline = "-c:v libx264 -preset ultrafast -bf 0 -x264-params sliced-threads=0"

    /// Captions of CEA-608 and 708 become WebVTT beside themselves; FFmpeg's decoder of the former reads the same.
    ///
    /// They are in the order of display, also where x264 reorders the pictures that carry them.
    @Test(arguments: [
        ("h264", baseline, "-c copy", "ts"),
        ("h264", baseline, "-c:v libx264 -a53cc 1 -preset veryfast -bf 3 -b_strategy 0 -g 25", "ts"),
        ("hevc", "-c:v libx265 -preset ultrafast -x265-params bframes=0:log-level=error", "-c copy", "ts"),
        ("av1", "-c:v libaom-av1 -usage realtime -cpu-used 8", "-c copy", "mkv"),
    ])
    func captionsAreReadAsFFmpegReadsThem(codec: String, encoder: String, options: String, suffix: String) async throws
    {
        let directory = try TemporaryDirectory()
        let file = directory.file("captions.\(suffix)")
        try await Self.captions(in: "testsrc2=", encoder, as: codec, then: options, to: file)
        let packager = try await PackagerProcess([
            "--input", file, "--no-realtime", "--segment-duration", "4", "--feed-subtitles", "CC1,CC3,SERVICE1",
        ])
        let shown = { (name: String) in
            let playlist = try await packager.mediaPlaylist(name, "its end") { $0.isEnded }
            var cues: [String] = []
            for segment in playlist.segments {
                let blocks = try await packager.text(segment.uri).split(separator: "\n\n").dropFirst()
                cues += blocks.map {
                    $0.split(separator: "\n").dropFirst().joined(separator: "|").replacing(/<[^>]*>/, with: "")
                }
            }
            // A cue that continues in the next segment is the same.
            return cues.reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
        }
        let index = try await packager.text("index.m3u8")
        for (channel, name) in [("CC1", "Captions 1"), ("CC3", "Captions 3"), ("SERVICE1", "Digital captions 1")] {
            let words = "GROUP-ID=\"subtitles\",NAME=\"\(name)\",LANGUAGE=\"und\""
            #expect(index.contains("TYPE=SUBTITLES,\(words)"))
            #expect(index.contains("INSTREAM-ID=\"\(channel)\""))
        }
        let words = { (cues: [String]) in cues.map { $0.split(separator: " ").dropFirst(3).joined(separator: " ") } }
        #expect(try await shown("text") == words(try await Self.read(file, field: "first")))
        // The last row is never told by FFmpeg.
        let rows = words(try await Self.read(file, field: "second"))
        let rolled = try await shown("text-2")
        #expect(rows.count > 10 && Array(rolled.prefix(rows.count)) == rows)
        #expect(try await shown("text-3") == (0..<4).map { "WINDOW 0\($0)" })
        await packager.end()
    }

    /// GStreamer draws a window of CEA-708 into the pictures, where tesseract reads what the packager writes, for as long.
    @Test func captionServicesAreReadAsGStreamerShowsThem() async throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("captions.ts")
        try await Self.captions(in: "color=c=black:", Self.baseline, as: "h264", then: "-c copy", to: file)
        let packager = try await PackagerProcess([
            "--input", file, "--no-realtime", "--segment-duration", "4", "--feed-subtitles", "SERVICE1",
        ])
        let playlist = try await packager.mediaPlaylist("text", "its end") { $0.isEnded }
        var cues: [TimedCue] = []
        for segment in playlist.segments {
            for cue in try TimedTextDocument(parsing: Array(try await packager.text(segment.uri).utf8)).cues {
                // Its end may not have been known in the segment in which it begins.
                if let last = cues.last, last.start == cue.start { cues.removeLast() }
                cues.append(cue)
            }
        }
        let cue = try #require(cues.first)
        #expect(cues.count == 4)
        // Its pictures do not wait for captions that are late: on a busy machine they show a window later, or its end.
        _ = try await eventually(within: 60, "GStreamer shows a window for as long") {
            let script = Repository.script("EndToEndTests/Text/windows.py")
            let seen = try await Program.run("/usr/bin/python3", [script, file])
            let windows = seen.split(separator: "\n").map { $0.split(separator: " ", maxSplits: 1).map(String.init) }
            // A window that is defined again it draws in pieces (GStreamer 1.22).
            guard let window = windows.first, let duration = Int64(window[0]) else { return nil as Bool? }
            let agrees = abs(duration - (cue.end - cue.start).milliseconds) <= 100
            if !agrees || window[1] != cue.content.text { throw Program.Failure(description: seen) }
            return true
        }
        await packager.end()
    }

    /// A feed with DVB subtitles, which FFmpeg has made of pictures of words; each cue is `SECOND:WORDS`.
    private static func bitmaps(_ cues: [String], seconds: Int, in directory: TemporaryDirectory) async throws -> String
    {
        let (pictures, file) = (directory.file("bitmaps.sup"), directory.file("bitmaps.ts"))
        let script = Repository.script("EndToEndTests/Text/bitmaps.py")
        try await Program.run(
            "/bin/sh",
            ["-c", #"out=$1; shift; python3 "$@" > "$out""#, "sh", pictures, script] + cues
        )
        try await Program.run(
            "ffmpeg",
            [
                "-v", "error", "-copyts", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25", "-fix_sub_duration",
                "-canvas_size", "720x576", "-i", pictures, "-map", "0", "-map", "1", "-t", "\(seconds)", "-c:v",
                "libx264",
                "-preset", "ultrafast", "-g", "25", "-c:s", "dvbsub", "-metadata:s:s", "language=eng", "-f", "mpegts",
                file,
            ]
        )
        return file
    }

    /// They are read by tesseract while the feed continues.
    @Test func bitmapsAreRead() async throws {
        let directory = try TemporaryDirectory()
        let cues = ["1:Good evening", "4:Here is the news", "7:Number 42 wins"]
        let file = try await Self.bitmaps(cues, seconds: 20, in: directory)
        let packager = try await PackagerProcess([
            "--input", file, "--segment-duration", "4", "--window", "60", "--feed-subtitles", "bitmaps",
        ])
        let playlist = try await packager.mediaPlaylist("text-en", "three segments") { $0.segments.count >= 3 }
        var text = ""
        for segment in playlist.segments { text += try await packager.text(segment.uri) }
        for line in ["Good evening", "Here is the news", "Number 42 wins"] { #expect(text.contains(line), "\(text)") }
        await packager.end()
    }

    /// A message says once that the program is missing, and there is a rendition without words.
    @Test func bitmapsWithoutTheirReaderAreAClearMessage() async throws {
        let directory = try TemporaryDirectory()
        let file = try await Self.bitmaps(["1:Lost"], seconds: 12, in: directory)
        let packager = try Program(
            "/usr/bin/env",
            [
                "PATH=/nowhere", Repository.packager, "--input", file, "--segment-duration", "2", "--feed-subtitles",
                "bitmaps",
                "--listen", "127.0.0.1:0", "--control", "127.0.0.1:0",
            ]
        )
        defer { packager.kill() }
        let said = try await eventually(within: 30, "the message") {
            packager.output.contains("bitmaps is not read") || packager.errors.contains("bitmaps is not read")
                ? true : nil
        }
        #expect(said)
    }
}
