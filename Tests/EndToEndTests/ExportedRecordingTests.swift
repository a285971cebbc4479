import Foundation
import MediaCore
import Playlists
import TestSupport
import Testing

/// `packager record --recording`, of what a packager has recorded that runs no more.
@Suite(.timeLimit(.minutes(3))) struct ExportedRecordingTests {
    /// A channel was recorded for some seconds in clear text, and its packager has ended.
    private struct Recorded {
        let directory: TemporaryDirectory
        /// The times at which its segments begin; a few more were recorded.
        let starts: [MediaTime]

        init(segments: Int) async throws {
            directory = try TemporaryDirectory()
            let packager = try await PackagerProcess(
                [
                    "--input", Repository.feed, "--loop", "--segment-duration", "1", "--window", "120", "--encryption",
                    "none", "--record", directory.file("recordings"),
                ]
            )
            let playlist = try await packager.mediaPlaylist("video-360p", "\(segments) segments") { playlist in
                playlist.segments.count { !$0.isGap } >= segments
            }
            starts = playlist.segments.filter { !$0.isGap }.map(\.programDateTime)
            #expect(await packager.end() == 0, "\(packager.program.errors)")
        }

        var recording: String { directory.file("recordings/live") }

        /// The files and directories in that of the test.
        func names() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
        }
    }

    private static func run(_ arguments: [String]) async throws -> (code: Int32, output: String, errors: String) {
        let program = try Program(Repository.packager, ["record"] + arguments)
        return (await program.exitCode(), program.output, program.errors)
    }

    private static func times(_ from: MediaTime, _ to: MediaTime) -> [String] {
        ["--from", from.iso8601, "--to", to.iso8601]
    }

    /// Both have the pictures and the sound of their time, and the files of the recording stay as they are.
    @Test func itMakesACopyAndAnMP4FileWithoutAPackager() async throws {
        let recorded = try await Recorded(segments: 6)
        let (starts, options) = (recorded.starts, ["live", "--recording", recorded.recording])
        let files = try FileManager.default.subpathsOfDirectory(atPath: recorded.recording).sorted()

        let folder = recorded.directory.file("show")
        let copy = try await Self.run(options + Self.times(starts[1], starts[4]) + ["--output", "\(folder)/"])
        #expect(copy.code == 0 && copy.output == "\(folder)/index.m3u8\n" && copy.errors.isEmpty, "\(copy)")
        try await Self.expectCopy(folder, from: starts[1])

        let clip = recorded.directory.file("show.mp4")
        // From the midst of one segment to the midst of another.
        let (from, to) = (starts[1] + MediaTime(milliseconds: 400), starts[4] + MediaTime(milliseconds: 200))
        let made = try await Self.run(options + Self.times(from, to) + ["--form", "mp4", "--output", clip])
        #expect(made.code == 0 && made.output == "\(clip)\n" && made.errors.isEmpty, "\(made)")
        try await Self.expectClip(clip, seconds: (to - from).seconds)

        #expect(try FileManager.default.subpathsOfDirectory(atPath: recorded.recording).sorted() == files)
        #expect(try recorded.names() == ["recordings", "show", "show.mp4"])
    }

    /// Looks at a copy of three segments of a second.
    private static func expectCopy(_ folder: String, from start: MediaTime) async throws {
        let index = try MultivariantPlaylist(parsing: String(contentsOfFile: "\(folder)/index.m3u8", encoding: .utf8))
        #expect(!index.variants.isEmpty && !index.iFrameVariants.isEmpty)
        for rendition in ["video-360p", "audio-en", "audio-de"] {
            let text = try String(contentsOfFile: "\(folder)/\(rendition).m3u8", encoding: .utf8)
            let playlist = try MediaPlaylist(parsing: text)
            #expect(playlist.isEnded && playlist.segments.count == 3, "\(text)")
            #expect(playlist.segments.allSatisfy { !$0.isGap && $0.keys.isEmpty }, "\(text)")
            let first = try #require(playlist.segments.first)
            // Audio begins with the nearest of its frames.
            #expect(abs((first.programDateTime - start).milliseconds) <= 50, "\(text)")
        }
        let video = try MediaPlaylist(parsing: String(contentsOfFile: "\(folder)/video-360p.m3u8", encoding: .utf8))
        let seconds = video.segments.reduce(0) { $0 + $1.duration.time.seconds }
        let sample = try await Frames.ofSample()
        let pictures = try await Frames.checksums(playlistOptions + ["\(folder)/index.m3u8"])
        #expect(abs(Double(pictures.count) - seconds * 25) < 1, "\(pictures.count) pictures in \(seconds) s")
        #expect(Frames.isRun(pictures, of: sample))
        for rendition in ["audio-en", "audio-de"] {
            let sound = try await Frames.decoded(playlistOptions + ["\(folder)/\(rendition).m3u8"], "a:0")
            #expect(sound.count > 100, "\(sound.count) frames of \(rendition)")
        }
    }

    /// Looks at an MP4 file of less than a round of the sample.
    private static func expectClip(_ clip: String, seconds: Double) async throws {
        let text = try await Program.run(
            "ffprobe",
            ["-v", "error", "-show_entries", "format=duration:stream=codec_type", "-of", "default=nw=1:nk=1", clip]
        )
        let lines = text.split(whereSeparator: \.isNewline).map(String.init)
        #expect(lines.count { $0 == "video" } == 1 && lines.contains("audio"), "\(text)")
        let duration = try #require(lines.last.flatMap { Double($0) })
        // The edges are those of the nearest pictures.
        #expect(abs(duration - seconds) <= 0.041, "\(text)")
        let sample = try await Frames.ofSample()
        let pictures = try await Frames.shown(["-i", clip], "v:0").map(\.checksum)
        #expect(abs(Double(pictures.count) - duration * 25) <= 1, "\(pictures.count) pictures in \(duration) s")
        #expect(Frames.isRun(pictures, of: sample))
        let sound = try await Frames.shown(["-i", clip], "a:0")
        #expect(sound.count > 100, "\(sound.count) frames of sound")
    }

    /// Each says why in words, with the exit code of refusals, and leaves nothing behind.
    @Test func whatCannotBeDoneIsRefused() async throws {
        let recorded = try await Recorded(segments: 2)
        let (recording, starts) = (recorded.recording, recorded.starts)
        let times = Self.times(starts[0], starts[1])
        let before = MediaTime(seconds: 1_000_000_000)
        let past = Self.times(before, before + MediaTime(seconds: 60))
        let folder = recorded.directory
        let new = ["--output", folder.file("show")]
        let mine = try folder.write("mine", to: "mine.mp4")
        let there = ["--output", mine]
        let cases: [(channel: String, recording: String, options: [String], reason: String)] = [
            ("other", recording, times + new, "it is that of live"),
            ("live", folder.file("recordings"), times + new, "it has no recording.json"),
            ("live", folder.file("none"), times + new, "it has no recording.json"),
            ("live", recording, past + new, "nothing of that time is recorded; the channel has "),
            ("live", recording, times + there, "mine.mp4 exists already"),
            ("live", recording, times + there + ["--form", "mp4"], "mine.mp4 exists already"),
            ("live", recording, times + ["--output", folder.path], "\(folder.path) exists already"),
        ]
        for (channel, recording, options, reason) in cases {
            let (code, output, errors) = try await Self.run([channel, "--recording", recording] + options)
            #expect(code == 2 && output.isEmpty, "\(channel) \(recording) \(options)")
            #expect(errors.hasPrefix("packager: ") && errors.contains(reason), "\(errors)")
        }
        #expect(try String(contentsOfFile: mine, encoding: .utf8) == "mine")
        #expect(try recorded.names() == ["mine.mp4", "recordings"])
    }
}
