import Foundation

/// Makes feeds, each once in a run of the tests.
package actor FeedStore {
    package static let shared = FeedStore()

    private var files: [FeedRecipe: Task<String, any Error>] = [:]
    private var frames: [Track: Task<[DecodedFrame], any Error>] = [:]
    private let directory = Repository.root.appending(path: ".build/feeds")

    private struct Track: Hashable {
        var recipe: FeedRecipe
        var stream: String
        var generation: FFmpegGeneration
    }

    /// Returns the frames that a feed decodes to, for comparison.
    ///
    /// - Parameters:
    ///   - recipe: The feed.
    ///   - stream: Which of its streams, in FFmpeg's words.
    ///   - generation: Which FFmpeg.
    /// - Returns: The frames.
    /// - Throws: What FFmpeg finds wrong.
    package func decoded(
        _ recipe: FeedRecipe,
        _ stream: String = "v:0",
        by generation: FFmpegGeneration = .five
    ) async throws -> [DecodedFrame] {
        let track = Track(recipe: recipe, stream: stream, generation: generation)
        let task =
            frames[track]
            ?? Task { try await Frames.decoded(["-i", try await file(recipe)], stream, by: generation) }
        frames[track] = task
        return try await task.value
    }

    /// - Returns: Where the feed is.
    /// - Throws: What FFmpeg finds wrong.
    package func file(_ recipe: FeedRecipe) async throws -> String {
        let task =
            files[recipe]
            ?? Task {
                try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
                return try await make(recipe)
            }
        files[recipe] = task
        return try await task.value
    }

    private func make(_ recipe: FeedRecipe) async throws -> String {
        let file = directory.appending(path: "\(recipe.name).\(recipe.container)").path
        switch recipe.making {
        case .encoded(let arguments):
            try await Program.run("ffmpeg", ["-v", "error", "-nostdin", "-y"] + arguments + [file])
        case .joined(let parts):
            var list = ""
            for part in parts {
                let file = try await self.file(part)
                list += "file '\(file)'\nduration \(try await Self.duration(of: file))\n"
            }
            let playlist = directory.appending(path: "\(recipe.name).txt").path
            try list.write(toFile: playlist, atomically: true, encoding: .utf8)
            let input = ["-f", "concat", "-safe", "0", "-i", playlist, "-map", "0", "-c", "copy", file]
            try await Program.run("ffmpeg", ["-v", "error", "-nostdin", "-y"] + input)
        case .muxed(let picture, let audio, let filter):
            let inputs = ["-i", try await self.file(picture), "-itsoffset", "0.2", "-i", try await self.file(audio)]
            let output = ["-map", "0:v", "-map", "1:a", "-c", "copy", "-bsf:a", filter, file]
            try await Program.run("ffmpeg", ["-v", "error", "-nostdin", "-y"] + inputs + output)
        case .fields(let stream):
            let bare = directory.appending(path: "\(recipe.name).h264").path
            try Data(stream.bytes).write(to: URL(filePath: bare))
            // What FFmpeg's parser takes for one packet: a frame, or where delimiters part them a field.
            let ticks = stream.delimitsFields ? 1800 : 3600
            let times = "setts=pts=90000+N*\(ticks):dts=90000+N*\(ticks):duration=\(ticks):time_base=1/90000"
            let output = ["-map", "0:v", "-c", "copy", "-bsf:v", times, file]
            try await Program.run("ffmpeg", ["-v", "error", "-nostdin", "-y", "-f", "h264", "-i", bare] + output)
        case .joinedLate(let original, let seconds):
            let input = ["-ss", "\(seconds)", "-i", try await self.file(original), "-map", "0", "-c", "copy", file]
            try await Program.run("ffmpeg", ["-v", "error", "-nostdin", "-y"] + input)
        case .rotated(let original):
            // FFmpeg 5.1 writes it where it copies, and not where it encodes.
            let input = ["-i", try await self.file(original), "-map", "0", "-c", "copy", "-metadata:s:v", "rotate=90"]
            try await Program.run("ffmpeg", ["-v", "error", "-nostdin", "-y"] + input + [file])
        case .edited(let original, let edit):
            var editor = TransportStreamEditor(
                Array(try Data(contentsOf: URL(filePath: try await self.file(original))))
            )
            try Data(editor.edit(edit.apply)).write(to: URL(filePath: file))
        }
        return file
    }

    /// The seconds from the first to the end of the last frame, which no header of a transport stream tells.
    private static func duration(of file: String) async throws -> Double {
        let entries = ["-show_entries", "packet=pts_time,duration_time", "-of", "csv=p=0"]
        let packets = try await Program.run("ffprobe", ["-v", "error"] + entries + [file]).split(separator: "\n")
        let times = packets.compactMap { line -> (start: Double, end: Double)? in
            let fields = line.split(separator: ",").compactMap { Double($0) }
            return fields.count == 2 ? (fields[0], fields[0] + fields[1]) : nil
        }
        guard let start = times.map(\.start).min(), let end = times.map(\.end).max() else { return 0 }
        return end - start
    }
}
