import Foundation

/// Decodes with FFmpeg and compares pictures by their checksums.
package enum Frames {
    /// MD5 of every picture of a stream, in order of presentation.
    ///
    /// - Parameters:
    ///   - input: Input options and a URL or file.
    ///   - ffmpeg: Which FFmpeg.
    /// - Returns: 32 hexadecimal digits a picture.
    /// - Throws: ``Program/Failure`` where FFmpeg cannot decode it.
    package static func checksums(_ input: [String], ffmpeg: String = "ffmpeg") async throws -> [String] {
        let arguments =
            ["-v", "error", "-nostdin"] + input + ["-map", "0:v:0", "-vsync", "passthrough", "-f", "framemd5", "-"]
        return try await Program.run(ffmpeg, arguments)
            .split(separator: "\n")
            .filter { !$0.hasPrefix("#") }
            .compactMap { $0.split(separator: ",").last.map { $0.trimmingCharacters(in: .whitespaces) } }
    }

    /// Those of the sample feed.
    package static func ofSample() async throws -> [String] { try await checksums(["-i", Repository.feed]) }

    /// Whether pictures are a run of the sample's, which may start over at its end.
    package static func isRun(_ frames: [String], of sample: [String]) -> Bool {
        guard let first = frames.first, !sample.isEmpty else { return false }
        return sample.indices.contains { start in
            sample[start] == first && frames.indices.allSatisfy { frames[$0] == sample[(start + $0) % sample.count] }
        }
    }
}
