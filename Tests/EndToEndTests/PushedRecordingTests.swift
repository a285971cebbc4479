import Foundation
import MediaCore
import Playlists
import TestSupport
import Testing

/// Finished recordings that a packager sends to other servers.
@Suite(.timeLimit(.minutes(5))) struct PushedRecordingTests {
    /// A recording as the control API shows it.
    private struct Recording: Decodable {
        struct Destination: Decodable {
            var state: String
            var objects: Int?
            var stored: Int?
            var problem: String?
        }

        var id: String
        var pushed: [Destination]?
    }

    /// The number of pictures that FFmpeg decodes; nothing that it complains of is let pass.
    private static func pictures(of url: String) async throws -> Int {
        let text = try await Program.run(
            "ffprobe",
            ["-v", "error", "-allowed_extensions", "ALL", "-select_streams", "v:0", "-count_frames", "-show_entries"]
                + ["stream=nb_read_frames", "-of", "csv=p=0", url]
        )
        return Int(text.split(whereSeparator: \.isNewline).first?.filter(\.isNumber) ?? "") ?? 0
    }

    /// All that a player of a recording may ask for, by their URLs.
    private static func objects(of recording: String) async throws -> Set<String> {
        let index = try MultivariantPlaylist(parsing: try await HTTP.get(recording + "index.m3u8").text)
        var objects: Set<String> = [recording + "index.m3u8"]
        for uri in index.uris {
            objects.insert(recording + uri)
            let playlist = try MediaPlaylist(parsing: try await HTTP.get(recording + uri).text)
            let segments = playlist.segments.filter { !$0.isGap }
            for path in segments.map(\.uri) + segments.compactMap(\.map?.uri) { objects.insert(recording + path) }
        }
        return objects
    }

    @Test(arguments: [("seaweedfs", "copy"), ("nginx", "reference")])
    func aRecordingIsPlayedFromThereUntilItIsDeleted(kind: String, form: String) async throws {
        let directory = try TemporaryDirectory()
        let store = try await PushStore(kind, in: directory)
        let packager = try await PackagerProcess(
            [
                "--input", Repository.feed, "--loop", "--segment-duration", "1", "--window", "12", "--record",
                directory.file("recordings"), "--push", store.destination(["recordings=true"]),
            ]
        )
        let playlist = try await packager.mediaPlaylist("video-360p", "six segments") { playlist in
            playlist.segments.count { !$0.isGap } >= 6
        }
        let starts = playlist.segments.filter { !$0.isGap }.map(\.programDateTime)
        let control = try packager.control
        let path = try await Program.run(
            Repository.packager,
            [
                "record", "live", "--from", starts[1].iso8601, "--to", starts[4].iso8601, "--form", form, "--control",
                control,
            ]
        ).trimmingCharacters(in: .whitespacesAndNewlines)
        let id = try #require(path.split(separator: "/").dropLast().last)
        let question = "\(control)/channels/live/recordings/\(id)"
        let sent = try await eventually(within: 60, "it is sent") { () -> Recording.Destination? in
            let recording = try JSONDecoder().decode(Recording.self, from: try await HTTP.body(question))
            return recording.pushed?.first { $0.state == "done" }
        }
        #expect(sent.stored == sent.objects && sent.problem == nil)

        let recording = "\(store.base)recordings/\(id)/"
        let objects = try await Self.objects(of: recording)
        #expect(objects.count > 10)
        for url in objects {
            let answer = try await HTTP.get(url)
            #expect(answer.status == 200 && url.hasPrefix(recording), "\(url): \(answer.status)")
        }
        let count = try await Self.pictures(of: recording + "index.m3u8")
        let served = try await Self.pictures(of: packager.origin + path)
        #expect(count > 60 && count == served)
        let metrics = try await HTTP.get("\(control)/metrics").text
        #expect(metrics.split(separator: "\n").contains { $0.contains(#"state="sent"} 1"#) })

        let deleted = try await HTTP.get(question, method: "DELETE")
        #expect(deleted.status == 200)
        let events = "\(control)/events?kind=push"
        _ = try await eventually(within: 60, "it is told") {
            try await HTTP.get(events).text.contains("has deleted recording \(id)") ? true : nil
        }
        for url in objects {
            let answer = try await HTTP.get(url)
            #expect([403, 404].contains(answer.status), "\(url): \(answer.status)")
        }
        // The stream is there as before.
        #expect(try await HTTP.get(store.base + "index.m3u8").status == 200)
        let said = packager.program.output + packager.program.errors
        #expect(!said.contains(PushStore.secret))
        await packager.end()
        store.program.kill()
    }
}
