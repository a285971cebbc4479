import Foundation
import TestSupport

/// HEVC as x265 writes it, and what FFmpeg's `trace_headers` makes of slice segment headers.
enum FFmpegSliceHeaders {
    /// Encodes a test picture with options of FFmpeg and parameters of x265.
    static func encode(
        source: String = "testsrc2=size=416x240:rate=25",
        _ options: [String] = [],
        parameters: String,
        frames: Int = 12
    ) async throws -> [UInt8] {
        try await withFile { file in
            let input = ["-v", "error", "-nostdin", "-f", "lavfi", "-i", source, "-frames:v", "\(frames)"]
            let encoder = [
                "-c:v", "libx265", "-preset", "fast", "-x265-params", "log-level=error:pools=1:\(parameters)",
            ]
            let format = options.contains("-pix_fmt") ? [] : ["-pix_fmt", "yuv420p"]
            try await Program.run("ffmpeg", input + options + format + encoder + ["-f", "hevc", file.path])
            return try [UInt8](Data(contentsOf: file))
        }
    }

    /// The places where the alignment of every slice segment header begins, in bits from the NAL unit's beginning with
    /// emulation prevention bytes left out.
    static func headerBits(of stream: [UInt8]) async throws -> [Int] {
        try await withFile { file in
            try Data(stream).write(to: file)
            // Written to a file: of a pipe, what comes last may not have been read when the program has ended.
            let report = file.appendingPathExtension("log")
            defer { try? FileManager.default.removeItem(at: report) }
            try await Program.run(
                "ffmpeg",
                [
                    "-v", "error", "-nostdin", "-f", "hevc", "-i", file.path, "-c", "copy", "-copyinkf", "-bsf:v",
                    "trace_headers",
                    "-f", "null", "-",
                ],
                environment: ["FFREPORT": "file=\(report.path):level=32"]
            )
            return try String(contentsOf: report, encoding: .utf8)
                .split(separator: "\n")
                .filter { $0.contains(" alignment_bit_equal_to_one ") }
                .compactMap { line in
                    line.split(separator: "]").last?.split(separator: " ").first.flatMap { Int($0) }
                }
        }
    }

    private static func withFile<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
        let file = FileManager.default.temporaryDirectory.appending(path: "slices-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        return try await body(file)
    }
}
