import Foundation
import Subprocess

/// A sample that a real encoder sends, in three forms: unchanged, with a frozen camera, and silent.
struct EncodedClips: Hashable, Sendable {
    /// Paths.
    var whole: String
    var frozen: String
    var silent: String

    /// Encodes the clips with ffmpeg.
    ///
    /// - Parameters:
    ///   - feed: The feed, with its sample and its encoder.
    ///   - name: The name of the files.
    ///   - folder: The folder of the files.
    /// - Returns: The clips; nil if the sample is sent as it is.
    /// - Throws: ``DrillError`` if ffmpeg is missing or cannot do it.
    static func encode(_ feed: Scenario.Feed, named name: String, in folder: URL) async throws -> EncodedClips? {
        guard let encoder = feed.encoder else { return nil }
        func path(_ kind: String) -> String { folder.appending(path: "\(name)-\(kind).ts").path }
        let clips = EncodedClips(whole: path("whole"), frozen: path("frozen"), silent: path("silent"))
        // The encoder gets the still picture again and again, like any other.
        let still = "[0:v]split[a][b];[a][b]freezeframes=first=0:last=1000000:replace=0[v]"
        let filters = [
            (clips.whole, ["-map", "0:v"]),
            (clips.frozen, ["-filter_complex", still, "-map", "[v]"]),
            (clips.silent, ["-map", "0:v", "-af", "volume=0"]),
        ]
        for (path, filter) in filters {
            let input = ["-v", "error", "-nostdin", "-y", "-i", feed.samplePath]
            let codecs = ["-map", "0:a?", "-c:a", "aac", "-c:v"] + encoder.split(separator: " ").map(String.init)
            try await run(["ffmpeg"] + input + filter + codecs + ["-f", "mpegts", path])
        }
        return clips
    }

    private static func run(_ command: [String]) async throws {
        do {
            let result = try await Subprocess.run(
                .name(command[0]),
                arguments: Arguments(Array(command.dropFirst())),
                output: .discarded,
                error: .string(limit: 1 << 16)
            )
            guard !result.terminationStatus.isSuccess else { return }
            let line = PackagerLaunch.line(command)
            throw DrillError.failed("'\(line)' does not work: \(result.standardError)")
        } catch let error as DrillError {
            throw error
        } catch {
            throw DrillError.failed(
                "this drill needs ffmpeg, which cannot be run here; 'make judges' installs it: \(error)"
            )
        }
    }
}
