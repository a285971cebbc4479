import Foundation
import MediaCore
import Playlists
import TestSupport
import Testing

/// A channel that is started again with another master secret.
@Suite struct NewSecretTests {
    @Test func itDoesNotStartBeforeThatIsAccepted() async throws {
        let directory = try TemporaryDirectory()
        let secrets = try ["5a", "5b"].map { digits in
            let secret = try directory.write(String(repeating: digits, count: 32), to: digits)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: secret)
            return ["--key-secret", secret]
        }
        let arguments = [
            "--input", Repository.smallFeed, "--loop", "--segment-duration", "1", "--window", "90", "--encryption",
            "sample-aes", "--key-rotation", "2", "--state", directory.file("state"),
        ]
        let first = try await PackagerProcess(arguments + secrets[0])
        let before = try await first.mediaPlaylist("video-180p", "four segments") { $0.segments.count >= 4 }
        await first.end()
        let refused = try Program(
            Repository.packager,
            arguments + secrets[1] + ["--listen", "127.0.0.1:0", "--control", "127.0.0.1:0"]
        )
        #expect(await refused.exitCode() == 2)
        #expect(refused.output.isEmpty && refused.errors.contains("--accept-new-secret"), "\(refused.errors)")
        #expect(!refused.errors.contains("5b5b"))
        // The first secret still continues with what is listed.
        let again = try await PackagerProcess(arguments + secrets[0])
        let kept = try await again.mediaPlaylist("video-180p", "what was listed") { !$0.segments.isEmpty }
        #expect(kept.mediaSequence == before.mediaSequence)
        await again.end()
        let second = try await PackagerProcess(arguments + secrets[1] + ["--accept-new-secret"])
        let after = try await second.mediaPlaylist("video-180p", "new segments") { $0.segments.count >= 4 }
        #expect(after.mediaSequence.value >= before.mediaSequence.value + Int64(before.segments.count))
        let uris = { (playlist: MediaPlaylist) in Set(playlist.segments.flatMap(\.keys).map(\.uri)) }
        #expect(uris(after).isDisjoint(with: uris(before)))
        for run in after.periods(base: "\(second.origin)/live") {
            let encrypted = try await EncryptedFile(of: run, in: directory)
            #expect(try await !Frames.decoded(encrypted.input, "v:0").isEmpty)
        }
        await second.end()
    }
}
