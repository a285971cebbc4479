import Foundation
import Playlists
import TestSupport
import Testing

/// A packager that sends its channel to other servers.
@Suite struct PushTests {
    @Test(arguments: ["seaweedfs", "nginx"])
    func playersPlayWhatIsSent(kind: String) async throws {
        let directory = try TemporaryDirectory()
        let store = try await PushStore(kind, in: directory)
        let packager = try await PackagerProcess(
            ["--input", Repository.feed, "--loop", "--segment-duration", "1", "--window", "12"]
                + ["--push", store.destination()]
        )
        let base = store.base
        let playlist = try await eventually(within: 20, "six segments are there") { () -> MediaPlaylist? in
            let answer = try await HTTP.get(base + "video-360p.m3u8")
            guard answer.status == 200, let playlist = try? MediaPlaylist(parsing: answer.text) else { return nil }
            return playlist.segments.count >= 6 ? playlist : nil
        }
        for uri in playlist.segments.map(\.uri) + playlist.segments.compactMap(\.map?.uri) {
            #expect(try await HTTP.get(base + uri).status == 200, "\(uri)")
        }
        #expect(try await HTTP.get(base + "index.m3u8").status == 200)
        let control = try packager.control
        let status = try await HTTP.get("\(control)/channels/live").text
        #expect(status.contains(#""healthy":true"#) || status.contains(#""healthy" : true"#), "\(status)")
        let metrics = try await HTTP.get("\(control)/metrics").text
        #expect(metrics.contains(#"packager_push_healthy{channel="live",destination=""#))
        // The secret is nowhere.
        let said = status + metrics + packager.program.output + packager.program.errors
        #expect(!said.contains(PushStore.secret.prefix(12)))
        await packager.end()
        store.program.kill()
    }
}
