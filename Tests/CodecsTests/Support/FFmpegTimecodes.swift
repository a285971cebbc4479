import Foundation
import TestSupport

/// Raw video as FFmpeg's encoders write it, and what its decoders say of timecode.
enum FFmpegTimecodes {
    /// Twelve pictures, encoded.
    static func encode(rate: String, _ options: [String], format: String) async throws -> [UInt8] {
        try await withFile { file in
            try await Program.run(
                "ffmpeg",
                [
                    "-v", "error", "-nostdin", "-f", "lavfi", "-i", "testsrc=size=160x96:rate=\(rate)", "-frames:v",
                    "12",
                ] + options + ["-f", format, file.path]
            )
            return try [UInt8](Data(contentsOf: file))
        }
    }

    /// Pictures decoded and encoded again.
    static func encodeAgain(_ stream: [UInt8], _ options: [String], format: String) async throws -> [UInt8] {
        try await withFile { file in
            try Data(stream).write(to: file)
            let output = file.appendingPathExtension("again")
            defer { try? FileManager.default.removeItem(at: output) }
            let arguments = ["-v", "error", "-nostdin", "-f", format, "-i", file.path] + options
            try await Program.run("ffmpeg", arguments + ["-f", format, output.path])
            return try [UInt8](Data(contentsOf: output))
        }
    }

    /// The timecode of every picture, in order of presentation.
    static func read(_ stream: [UInt8], rate: String, format: String) async throws -> [String?] {
        struct Report: Decodable {
            struct Frame: Decodable {
                struct Label: Decodable { var value: String }
                struct SideData: Decodable { var timecodes: [Label]? }
                var sideDataList: [SideData]?
            }
            var frames: [Frame]
        }
        return try await withFile { file in
            try Data(stream).write(to: file)
            // Written to a file: of a pipe, what comes last may not have been read when the program has ended.
            let report = file.appendingPathExtension("json")
            defer { try? FileManager.default.removeItem(at: report) }
            try await Program.run(
                "ffprobe",
                [
                    "-v", "error", "-f", format, "-framerate", rate, "-show_frames", "-of", "json", "-o", report.path,
                    file.path,
                ]
            )
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            return try decoder.decode(Report.self, from: Data(contentsOf: report)).frames
                .map { $0.sideDataList?.compactMap(\.timecodes).first?.first?.value }
        }
    }

    private static func withFile<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
        let file = FileManager.default.temporaryDirectory.appending(path: "timecode-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        return try await body(file)
    }
}
