import Foundation
import MediaCore
import Playlists
import TestSupport
import Testing

/// METHOD=SAMPLE-AES in transport streams and packed audio is undone to the last byte of each segment.
///
/// FFmpeg leaves the last frames of a transport stream as they are.
@Suite struct SampleDecryptionTests {
    /// Pictures of many slices, of which some end with a block that could be encrypted, and audio that pauses: frames of a
    /// few bytes, and others of hundreds.
    private static func feed(_ audio: String, tracks: Int, in directory: TemporaryDirectory) async throws -> String {
        let file = directory.file("feed.ts")
        try await Program.run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x90:rate=25:duration=10", "-f", "lavfi", "-i",
                "aevalsrc='if(lt(mod(t,2),1),random(0)-0.5,0)':sample_rate=48000:duration=10", "-c:v", "libx264",
                "-preset", "ultrafast", "-g", "25", "-bf", "0", "-x264-params", "slice-max-size=400",
                "-pix_fmt", "yuv420p", "-c:a", audio, "-b:a", "96k", "-ac", "1", "-map", "0", "-metadata:s:a:0",
                "language=eng",
            ] + (0..<tracks).flatMap { _ in ["-map", "1"] } + [file]
        )
        return file
    }

    /// The segments of a playlist as files, and the key of all of them, if they have one.
    private static func segments(
        _ name: String,
        of packager: PackagerProcess,
        in directory: TemporaryDirectory
    ) async throws -> [DecryptedFrames] {
        let playlist = try await packager.mediaPlaylist(name, "its end") { $0.isEnded }
        var frames: [DecryptedFrames] = []
        for segment in playlist.segments where !segment.isGap {
            let file = try directory.write(try await HTTP.body(packager.url(segment.uri)), to: UUID().uuidString)
            if let key = segment.keys.first {
                let digits = try await HTTP.body(packager.url(key.uri)).hexadecimal
                frames.append(
                    try await DecryptedFrames([file], key: (digits, try #require(key.initializationVector).hex))
                )
            } else {
                frames.append(try await DecryptedFrames([file]))
            }
        }
        return frames
    }

    /// One track of AAC shares the segments of the pictures; other tracks have segments of packed audio.
    @Test(arguments: [("aac", 1, ["0f", "1b"]), ("aac", 2, ["0f"]), ("ac3", 1, ["81"]), ("eac3", 1, ["87"])])
    func everySegmentIsAsItWasInTheClear(audio: String, tracks: Int, types: [String]) async throws {
        let directory = try TemporaryDirectory()
        let feed = try await Self.feed(audio, tracks: tracks, in: directory)
        let common = [
            "--input", feed, "--no-realtime", "--segment-duration", "2", "--window", "60", "--clock", "pts", "--format",
            "ts", "--encryption",
        ]
        let clear = try await PackagerProcess(common + ["none"])
        let encrypted = try await PackagerProcess(common + ["sample-aes"])
        _ = try await encrypted.mediaPlaylist("video-90p", "its end") { $0.isEnded }
        let multivariant = try MultivariantPlaylist(parsing: try await encrypted.text("index.m3u8"))
        let uris = Set(multivariant.variants.map(\.uri) + multivariant.renditions.compactMap(\.uri))
        var seen: [[String]: [Int]] = [:]
        for name in uris.map({ String($0.dropLast(".m3u8".count)) }) {
            let expected = try await Self.segments(name, of: clear, in: directory)
            #expect(expected.count >= 3, "\(name)")
            #expect(try await Self.segments(name, of: encrypted, in: directory) == expected, "\(name)")
            for frames in expected {
                let sizes = frames.streams.filter { $0.key != "1b" }.values.flatMap { $0 }.map(\.byteCount)
                seen[frames.streams.keys.sorted(), default: []] += sizes
            }
        }
        let sizes = try #require(seen[types], "\(seen.keys)")
        // Of AAC there are frames without a block that could be encrypted, and others.
        if audio == "aac" { #expect((sizes.min() ?? 0) < 7 + 16 + 16 && (sizes.max() ?? 0) > 100) }
        await clear.end()
        await encrypted.end()
    }
}
