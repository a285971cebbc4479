import Foundation
import MediaCore
import TestSupport
import Testing

@testable import Ingest

/// Tracks that somebody has encrypted before are known as such, and nothing of them is handed on.
@Suite(.timeLimit(.minutes(5)))
struct EncryptedInputTests {
    private static let key = "00112233445566778899aabbccddeeff"

    /// Two seconds of pictures and audio, in the clear.
    private func makeClear(in folder: String) async throws -> String {
        let file = "\(folder)/clear.mp4"
        try await ffmpeg("-i", sample, "-t", "2", "-map", "0:v", "-map", "0:a:0", "-c", "copy", file)
        return file
    }

    /// Encrypts a file with Shaka Packager.
    private func encrypt(_ file: String, _ kind: String, _ options: [String], to output: String) async throws {
        try await Program.run(
            StreamerBinaries.path("packager"),
            [
                "in=\(file),stream=\(kind),output=\(output)", "--enable_raw_key_encryption", "--keys",
                "label=:key_id=\(Self.key):key=\(Self.key)", "--quiet",
            ] + options
        )
    }

    @Test(arguments: ["cenc", "cbcs"], ["video", "audio"])
    func itIsKnownBeforeItIsAnnounced(scheme: String, kind: String) async throws {
        try await withTemporaryFolder { folder in
            let file = "\(folder)/encrypted.mp4"
            let options = ["--protection_scheme", scheme, "--clear_lead", "0"]
            try await encrypt(try await makeClear(in: folder), kind, options, to: file)
            let record = await read(file)
            #expect(record.openings.map { $0.map(\.isEncrypted) } == [[true]])
            #expect(record.packets.isEmpty)
        }
    }

    /// FFmpeg writes no `pssh` box, so only the packets tell.
    @Test func withoutSystemHeadersItIsKnownToo() async throws {
        try await withTemporaryFolder { folder in
            let file = "\(folder)/encrypted.mp4"
            try await ffmpeg(
                "-i",
                try await makeClear(in: folder),
                "-c",
                "copy",
                "-encryption_scheme",
                "cenc-aes-ctr",
                "-encryption_key",
                Self.key,
                "-encryption_kid",
                Self.key,
                file
            )
            let record = await read(file)
            #expect(record.openings.map { $0.map(\.isEncrypted) } == [[true, true]])
            #expect(record.packets.isEmpty)
        }
    }

    @Test func whatComesInTheClearFirstIsReadUntilThen() async throws {
        try await withTemporaryFolder { folder in
            let file = "\(folder)/encrypted.mp4"
            let options = ["--clear_lead", "1", "--segment_duration", "1", "--fragment_duration", "1"]
            try await encrypt(try await makeClear(in: folder), "video", options, to: file)
            let record = await read(file)
            #expect(record.openings.map { $0.map(\.isEncrypted) } == [[false], [true]])
            #expect(record.packets.count >= 25 && record.packets.count < 50)
        }
    }

    @Test func theClearTracksOfAFileAreRead() async throws {
        try await withTemporaryFolder { folder in
            let clear = try await makeClear(in: folder)
            try await encrypt(clear, "video", ["--clear_lead", "0"], to: "\(folder)/video.mp4")
            let file = "\(folder)/mixed.mkv"
            try await ffmpeg("-i", clear, "-map", "0:a", "-c", "copy", file)
            let record = await read(file)
            #expect(record.openings.map { $0.map(\.isEncrypted) } == [[false]])
            #expect(record.packets.count > 80)
        }
    }
}
