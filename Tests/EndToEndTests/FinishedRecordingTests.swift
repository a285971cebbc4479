import Foundation
import MediaCore
import Playlists
import TestSupport
import Testing

/// Finished recordings of what was live, as FFmpeg sees them.
@Suite(.timeLimit(.minutes(3))) struct FinishedRecordingTests {
    /// Starts a channel that is recorded, and waits for some segments.
    ///
    /// - Returns: The process, and the times at which its segments begin.
    private static func packager(
        _ options: [String],
        _ directory: TemporaryDirectory,
        port: Int
    ) async throws -> (packager: PackagerProcess, starts: [MediaTime]) {
        let arguments = [
            "--segment-duration", "1", "--window", "120", "--record", directory.file("recordings"), "--input",
            "udp://127.0.0.1:\(port)",
        ]
        let packager = try await PackagerProcess(arguments + options)
        let playlist = try await packager.mediaPlaylist("video-360p", "six segments") { playlist in
            playlist.segments.count { !$0.isGap } >= 6
        }
        return (packager, playlist.segments.filter { !$0.isGap }.map(\.programDateTime))
    }

    /// The number of pictures that FFmpeg decodes; nothing that it complains of is let pass.
    private static func pictures(of url: String, _ options: [String] = []) async throws -> Int {
        let text = try await Program.run(
            "ffprobe",
            ["-v", "error"] + options + ["-select_streams", "v:0", "-count_frames", "-show_entries"]
                + ["stream=nb_read_frames", "-of", "csv=p=0", url]
        )
        return Int(text.split(whereSeparator: \.isNewline).first?.filter(\.isNumber) ?? "") ?? 0
    }

    @Test(arguments: ["none", "sample-aes"]) func aClipHasThePicturesOfItsTime(encryption: String) async throws {
        let directory = try TemporaryDirectory()
        let port = Ports.free(datagram: true)
        let sender = try FeedSender.udp(port: port)
        let (packager, starts) = try await Self.packager(["--encryption", encryption], directory, port: port)
        // In the midst of one segment to the midst of another.
        let (from, to) = (starts[1] + MediaTime(milliseconds: 400), starts[4] + MediaTime(milliseconds: 200))
        let path = try await Program.run(
            Repository.packager,
            [
                "record", "live", "--from", from.iso8601, "--to", to.iso8601, "--form", "mp4", "--control",
                packager.control,
            ]
        )
        let clip = directory.file("clip.mp4")
        let url = packager.origin + path.trimmingCharacters(in: .whitespacesAndNewlines)
        try await HTTP.body(url).write(to: URL(filePath: clip))
        let length = Double((to - from).milliseconds) / 1000
        let text = try await Program.run(
            "ffprobe",
            ["-v", "error", "-show_entries", "format=duration:stream=avg_frame_rate", "-select_streams", "v:0"]
                + ["-of", "default=nw=1:nk=1", clip]
        )
        let lines = text.split(whereSeparator: \.isNewline).map(String.init)
        let duration = try #require(lines.last.flatMap { Double($0) })
        // The edges are those of the nearest pictures.
        #expect(abs(duration - length) <= 0.041, "\(text)")
        let count = try await Self.pictures(of: clip)
        #expect(abs(Double(count) - duration * 25) <= 1, "\(count) pictures in \(duration) s")
        sender.program.kill()
    }

    @Test func aCopyIsPlayedWhenTheRecordingIsGone() async throws {
        let directory = try TemporaryDirectory()
        let port = Ports.free(datagram: true)
        let sender = try FeedSender.udp(port: port)
        let (packager, starts) = try await Self.packager(["--encryption", "aes-128"], directory, port: port)
        let (from, to) = (starts[1].iso8601, starts[4].iso8601)
        let path = try await Program.run(
            Repository.packager,
            ["record", "live", "--from", from, "--to", to, "--control", packager.control]
        )
        let url = packager.origin + path.trimmingCharacters(in: .whitespacesAndNewlines)
        let index = try MultivariantPlaylist(parsing: try await HTTP.get(url).text)
        #expect(!index.variants.isEmpty && !index.iFrameVariants.isEmpty)
        let video = try MediaPlaylist(
            parsing: try await HTTP.get(url.replacing("index.m3u8", with: "video-360p.m3u8")).text
        )
        let found = video.segments.map { $0.programDateTime.iso8601 }
        #expect(video.isEnded && video.segments.count == 3, "\(from) to \(to): \(found)")
        #expect(video.segments.allSatisfy { !$0.isGap })
        let count = try await Self.pictures(of: url, ["-allowed_extensions", "ALL"])
        let seconds = video.segments.reduce(0) { $0 + $1.duration.time.seconds }
        #expect(abs(Double(count) / seconds - (Double(count) / seconds).rounded()) < 0.01 && count > 60)
        sender.program.kill()
        let data = try await HTTP.get("\(try packager.control)/channels/live/recordings").text
        #expect(data.contains(#""state" : "ready""#), "\(data)")
    }
}
