import Foundation
import Playlists
import TestSupport
import Testing

/// A packager that sends its channel to other servers.
@Suite struct PushTests {
    /// A store of others, as `stores.py` runs it.
    private static func store(_ kind: String, in directory: TemporaryDirectory) async throws -> (Program, url: String) {
        let script = Repository.script("ObjectStoresTests/Stores/stores.py")
        let program = try Program(Repository.python, [script, kind, directory.path])
        let url = try await eventually(within: 60, "\(kind) answers") {
            if let line = program.output.split(separator: "\n").first(where: { $0.hasPrefix("url ") }) {
                return String(line.dropFirst(4))
            }
            if !program.isRunning { throw Program.Failure(description: program.errors) }
            return nil
        }
        return (program, url)
    }

    @Test(arguments: ["seaweedfs", "nginx"])
    func playersPlayWhatIsSent(kind: String) async throws {
        let directory = try TemporaryDirectory()
        let (store, url) = try await Self.store(kind, in: directory)
        let credentials = try directory.write(
            """
            aws_access_key_id = AKIDEXAMPLE
            aws_secret_access_key = wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY
            """,
            to: "credentials"
        )
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: credentials)
        let destination =
            kind == "nginx"
            ? "\(url)/media/live" : "s3://media/live?region=us-east-1&endpoint=\(url)&credentials=\(credentials)"
        let packager = try await PackagerProcess(
            ["--input", Repository.feed, "--loop", "--segment-duration", "1", "--window", "12", "--push", destination]
        )
        let base = "\(url)/media/live/"
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
        #expect(!said.contains("wJalrXUtnFEMI"))
        await packager.end()
        store.kill()
    }
}
