import Foundation

/// Decodes with FFmpeg and compares pictures by their checksums.
package enum Frames {
    /// MD5 of every picture of a stream, in order of presentation.
    ///
    /// - Parameter input: Input options and a URL or file.
    /// - Returns: 32 hexadecimal digits a picture.
    /// - Throws: ``Program/Failure`` if FFmpeg cannot decode it.
    package static func checksums(_ input: [String]) async throws -> [String] {
        try await frames(input, "v:0", [], ffmpeg: "ffmpeg").map(\.checksum)
    }

    /// Every frame of a stream, in order of presentation; nothing is scaled, dropped, repeated or trimmed.
    ///
    /// - Parameters:
    ///   - input: Input options and a URL or file.
    ///   - stream: Which of its streams, in FFmpeg's words.
    ///   - generation: Which FFmpeg.
    /// - Returns: The frames.
    /// - Throws: ``Program/Failure`` if FFmpeg cannot decode it.
    package static func decoded(
        _ input: [String],
        _ stream: String = "v:0",
        by generation: FFmpegGeneration = .five
    ) async throws -> [DecodedFrame] {
        try await frames(["-flags2", "+skip_manual"] + input, stream, [], ffmpeg: generation.ffmpeg)
    }

    /// The same as a player shows and plays them: what an edit list leaves out is left out.
    package static func shown(_ input: [String], _ stream: String) async throws -> [DecodedFrame] {
        try await frames(input, stream, [], ffmpeg: "ffmpeg")
    }

    /// Every coded frame of a stream, in order of decoding, without decoding it.
    ///
    /// - Parameters:
    ///   - input: Input options and a URL or file.
    ///   - stream: Which of its streams, in FFmpeg's words.
    ///   - filter: A bitstream filter, where two containers frame the same differently.
    ///   - generation: Which FFmpeg.
    /// - Returns: The frames, with checksums of their bytes.
    /// - Throws: ``Program/Failure`` if FFmpeg cannot read it.
    package static func coded(
        _ input: [String],
        _ stream: String,
        filter: String = "null",
        by generation: FFmpegGeneration = .five
    ) async throws -> [DecodedFrame] {
        try await frames(input, stream, ["-c", "copy", "-bsf", filter], ffmpeg: generation.ffmpeg)
    }

    private static func frames(
        _ input: [String],
        _ stream: String,
        _ options: [String],
        ffmpeg: String
    ) async throws -> [DecodedFrame] {
        let timing = ["-fps_mode", "passthrough", "-enc_time_base", "1:90000", "-copyts", "-noautoscale"]
        let output = ["-map", "0:\(stream)"] + timing + options + ["-f", "framemd5", "-"]
        return try await Program.run(ffmpeg, ["-v", "error", "-nostdin"] + input + output)
            .split(separator: "\n")
            .filter { !$0.hasPrefix("#") }
            .compactMap { line in
                let fields = line.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
                guard fields.count >= 6, let time = Int64(fields[2]) else { return nil }
                return DecodedFrame(time: time, checksum: fields[5])
            }
    }

    /// Returns the frames of the sample feed.
    package static func ofSample() async throws -> [String] { try await checksums(["-i", Repository.feed]) }

    /// Returns true if pictures are a run of the sample's, which may start over at its end.
    package static func isRun(_ frames: [String], of sample: [String]) -> Bool {
        guard let first = frames.first, !sample.isEmpty else { return false }
        return sample.indices.contains { start in
            sample[start] == first && frames.indices.allSatisfy { frames[$0] == sample[(start + $0) % sample.count] }
        }
    }
}
