import Foundation
import MediaCore
import Playlists
import TestSupport
import Testing

/// A window that does not fit into the memory that it is given.
@Suite(.serialized) struct MemoryTests {
    /// 12 Mbit/s of noise, as an encoder makes them.
    private func feed(_ directory: TemporaryDirectory) async throws -> String {
        let path = directory.file("feed.ts")
        try await Program.run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=640x360:rate=25:duration=10,noise=alls=60:allf=t",
                "-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-keyint_min", "25",
                "-sc_threshold", "0", "-b:v", "12M", "-maxrate", "12M", "-bufsize", "6M", "-x264-params", "nal-hrd=cbr",
                path,
            ]
        )
        return path
    }

    /// Kilobytes of a process that are in memory.
    private func residentSize(_ program: Program) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(program.identifier)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
        return try #require(line.split(separator: " ").dropLast().last.flatMap { Int($0) })
    }

    @Test func withoutAStateDirectoryTheLimitHoldsAndIsSaid() async throws {
        let directory = try TemporaryDirectory()
        let control = Ports.free()
        let arguments = [
            "--input", try await feed(directory), "--loop", "--segment-duration", "1", "--window", "120",
            "--maximum-memory", "16M",
        ]
        let first = try await PackagerProcess(arguments, control: control)
        // It is said after three slots, long before it happens.
        let early = try await eventually(within: 15, "it is said early") {
            first.program.errors.split(separator: "\n").first { $0.contains("memory is scarce") }
        }
        #expect(
            early.contains("channel=live") && early.contains("will not fit") && early.contains("raise maximum-memory")
        )
        let status = "http://127.0.0.1:\(control)/channels/live"
        _ = try await eventually(within: 40, "the window is shorter") {
            try await HTTP.get(status).text.contains("the playlist is shortened to") ? true : nil
        }
        for _ in 0..<5 {
            let playlist = try await first.mediaPlaylist("video-360p")
            // At 1.5 MB/s, some ten of the hundred and twenty seconds; three target durations at least.
            #expect((6...12).contains(playlist.segments.count))
            _ = try await first.mediaPlaylist("video-360p", "the window goes on") {
                $0.mediaSequence != playlist.mediaSequence
            }
        }
        #expect(first.program.errors.split(separator: "\n").count { $0.contains("memory is scarce") } <= 3)
        #expect(try await HTTP.get("http://127.0.0.1:\(control)/events").text.contains(#""memory""#))
        let size = try residentSize(first.program)
        #expect(size < 160_000, "\(size) kB")
        await first.end()
    }

    @Test func withAStateDirectoryTheWindowIsAsLongAsItIsConfigured() async throws {
        let directory = try TemporaryDirectory()
        let arguments = [
            "--input", try await feed(directory), "--loop", "--segment-duration", "1", "--window", "120",
            "--maximum-memory", "16M", "--state", directory.file("state"),
        ]
        let first = try await PackagerProcess(arguments)
        // Twice as much as there is memory for.
        let playlist = try await eventually(within: 60, "the window is long") {
            let playlist = try await first.mediaPlaylist("video-360p")
            return playlist.segments.count >= 22 ? playlist : nil
        }
        let oldest = try #require(playlist.segments.first { !$0.isGap }).uri
        let bytes = try await HTTP.get(first.url(oldest)).body
        #expect(bytes.count > 1_000_000)
        #expect(!first.program.errors.contains("memory is scarce"))
        #expect(try residentSize(first.program) < 160_000)
        first.program.kill()
        _ = await first.program.exitCode()
        let second = try await PackagerProcess(arguments)
        #expect(try await second.mediaPlaylist("video-360p").segments.count >= 22)
        #expect(try await HTTP.get(second.url(oldest)).body == bytes)
        #expect(try residentSize(second.program) < 160_000)
        await second.end()
    }
}
