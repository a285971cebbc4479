import Foundation
import MediaCore
import Playlists
import TestSupport
import Testing

/// A finished recording with keys of its own, as FFmpeg sees it.
@Suite(.timeLimit(.minutes(3))) struct RekeyedRecordingTests {
    /// The number of pictures that FFmpeg decodes; none if it gives up.
    private static func pictures(of file: String) async throws -> Int {
        let text = try? await Program.run(
            "ffprobe",
            ["-v", "error"] + playlistOptions + [file] + ["-select_streams", "v:0", "-count_frames", "-show_entries"]
                + ["stream=nb_read_frames", "-of", "csv=p=0"]
        )
        return Int(text?.split(whereSeparator: \.isNewline).first?.filter(\.isNumber) ?? "") ?? 0
    }

    /// Writes a playlist that names files by their URLs, and has a key in place of its own.
    private static func file(
        _ playlist: MediaPlaylist,
        at base: String,
        key: String,
        in directory: TemporaryDirectory
    ) throws -> String {
        var playlist = playlist
        for index in playlist.segments.indices {
            let segment = playlist.segments[index]
            playlist.segments[index].uri = "\(base)/\(segment.uri)"
            playlist.segments[index].map = segment.map.map { MediaInitialization(uri: "\(base)/\($0.uri)") }
            for place in segment.keys.indices { playlist.segments[index].keys[place].uri = key }
        }
        return try directory.write(playlist.render(), to: "\(UUID().uuidString).m3u8")
    }

    @Test func itPlaysWithItsKeyAndWithNoLiveOne() async throws {
        let directory = try TemporaryDirectory()
        let secret = try directory.write(String(repeating: "5a", count: 32), to: "secret")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: secret)
        let port = Ports.free(datagram: true)
        let sender = try FeedSender.udp(port: port)
        let arguments = [
            "--segment-duration", "1", "--window", "120", "--record", directory.file("recordings"), "--input",
            "udp://127.0.0.1:\(port)", "--encryption", "aes-128", "--key-rotation", "2", "--key-secret", secret,
        ]
        let first = try await PackagerProcess(arguments)
        let live = try await first.mediaPlaylist("video-360p", "six segments") { playlist in
            playlist.segments.count { !$0.isGap } >= 6
        }
        let media = live.segments.filter { !$0.isGap }
        let output = try await Program.run(
            Repository.packager,
            [
                "record", "live", "--from", media[1].programDateTime.iso8601, "--to", media[4].programDateTime.iso8601,
                "--keys", "new", "--control", first.control,
            ]
        )
        let path = output.trimmingCharacters(in: .whitespacesAndNewlines).replacing("/index.m3u8", with: "")
        let video = try MediaPlaylist(parsing: try await HTTP.get("\(first.origin)\(path)/video-360p.m3u8").text)
        let liveKeys = Set(media[1..<4].flatMap(\.keys).map(\.uri))
        #expect(liveKeys.count >= 2 && video.segments.count == 3 && video.isEnded)
        let names = Set(video.segments.flatMap(\.keys).map(\.uri))
        let key = try #require(names.first).replacing("../../", with: "")
        #expect(names.count == 1 && !liveKeys.contains(key), "\(names)")

        let bytes = try await HTTP.body(first.url(key))
        #expect(bytes.count == 16)
        let good = try Self.file(video, at: "\(first.origin)\(path)", key: first.url(key), in: directory)
        let count = try await Self.pictures(of: good)
        #expect(count >= 60, "\(count) pictures")
        let liveKey = try #require(liveKeys.first)
        let bad = try Self.file(video, at: "\(first.origin)\(path)", key: first.url(liveKey), in: directory)
        #expect(try await HTTP.get(first.url(liveKey)).status == 200)
        #expect(try await Self.pictures(of: bad) == 0)
        await first.end()

        // The next process has the same key, and has it until the recording goes.
        let second = try await PackagerProcess(arguments)
        #expect(try await HTTP.body(second.url(key)) == bytes)
        let again = try Self.file(video, at: "\(second.origin)\(path)", key: second.url(key), in: directory)
        #expect(try await Self.pictures(of: again) == count)
        let removed = try await HTTP.get("\(second.control)/channels\(path)", method: "DELETE")
        #expect(removed.status == 200, "\(removed.text)")
        #expect(try await HTTP.get(second.url(key)).status == 404)
        sender.program.kill()
        await second.end()
    }
}
