import Foundation
import TestSupport

/// Audio as FFmpeg's encoders write it, the packets that it splits it into, and what its decoders make of it.
enum FFmpegAudio {
    struct Probe {
        var packets: [Packet]
        var header: [UInt8]
        var sampleRate: Int
        var channels: Int
        /// Bits a second.
        var bitRate: Int
    }

    struct Packet {
        var bytes: [UInt8]
        /// In units of the stream's time base.
        var duration: Int?
    }

    /// Runs a body with the name of a file that is then removed.
    static func withFile<Result>(_ suffix: String, _ body: (URL) async throws -> Result) async throws -> Result {
        let file = FileManager.default.temporaryDirectory.appending(path: "audio-\(UUID().uuidString).\(suffix)")
        defer { try? FileManager.default.removeItem(at: file) }
        return try await body(file)
    }

    /// Half a second of chirp and noise, encoded.
    static func encode(
        _ codec: String,
        rate: Int,
        channels: Int,
        options: [String] = [],
        to file: URL,
        format: String
    ) async throws {
        let left = "0.4*sin(2000*t*t)+0.1*random(0)"
        let right = "0.3*sin(500*t)+0.1*random(1)"
        let expressions = (0..<channels).map { $0 % 2 == 0 ? left : right }.joined(separator: "|")
        let layout = [1: "mono", 2: "stereo", 6: "5.1"][channels] ?? "stereo"
        let source = "aevalsrc=exprs='\(expressions)':s=\(rate):c=\(layout):d=0.5"
        try await Program.run(
            "ffmpeg",
            ["-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i", source, "-c:a", codec, "-strict", "-2"] + options
                + ["-f", format, file.path]
        )
    }

    static func probe(_ file: URL, _ input: [String] = []) async throws -> Probe {
        struct Report: Decodable {
            struct Packet: Decodable {
                var data: String
                var duration: Int?
            }
            struct Stream: Decodable {
                var extradata: String?
                var sampleRate: String
                var channels: Int
                var bitRate: String?
            }
            var packets: [Packet]
            var streams: [Stream]
        }
        // Written to a file: of a pipe, what comes last may not have been read when the program has ended.
        return try await withFile("json") { report in
            try await Program.run(
                "ffprobe",
                ["-v", "error"] + input
                    + ["-show_packets", "-show_streams", "-show_data", "-of", "json", "-o", report.path, file.path]
            )
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            let parsed = try decoder.decode(Report.self, from: Data(contentsOf: report))
            let stream = parsed.streams.first
            return Probe(
                packets: parsed.packets.map { Packet(bytes: bytes(dump: $0.data), duration: $0.duration) },
                header: bytes(dump: stream?.extradata ?? ""),
                sampleRate: stream.flatMap { Int($0.sampleRate) } ?? 0,
                channels: stream?.channels ?? 0,
                bitRate: stream?.bitRate.flatMap { Int($0) } ?? 0
            )
        }
    }

    /// Decodes, every complaint being an error, to samples of 32 bits in interleaved channels.
    static func decode(_ file: URL, _ input: [String] = []) async throws -> [Int32] {
        try await withFile("log") { log in
            let output = log.appendingPathExtension("pcm")
            defer { try? FileManager.default.removeItem(at: output) }
            let checks = ["-v", "error", "-nostdin", "-xerror", "-err_detect", "crccheck+bitstream+buffer+explode"]
            // To a file: of a pipe, what comes last may not have been read when the program has ended.
            let shell = ["-c", "exec ffmpeg \"$@\" 2>\"$0\"", log.path] + checks
            let program = try Program("sh", shell + input + ["-i", file.path, "-f", "s32le", "-y", output.path])
            let code = await program.exitCode()
            let complaints = try String(contentsOf: log, encoding: .utf8)
            guard code == 0, complaints.isEmpty else { throw Complaint(description: complaints) }
            return try Data(contentsOf: output).withUnsafeBytes { bytes in
                stride(from: 0, to: bytes.count - 3, by: 4).map {
                    Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: Int32.self))
                }
            }
        }
    }

    /// A fault that FFmpeg found.
    struct Complaint: Error, CustomStringConvertible {
        var description: String
    }

    /// The bytes of ffprobe's dump: an offset, groups of digits, and the text that they are.
    private static func bytes(dump: String) -> [UInt8] {
        dump.split(separator: "\n").flatMap { line -> [UInt8] in
            guard let digits = line.split(separator: ":", maxSplits: 1).last else { return [] }
            return [UInt8](hex: String(digits.prefix(40)))
        }
    }
}
