/// FFmpeg as judge, of two ages: what one reads by chance, the other does not.
package enum FFmpegGeneration: String, CaseIterable, Sendable {
    /// Debian's.
    case five = "5.1"
    /// That of Shaka Streamer's binaries.
    case eight = "8.1"

    package var ffmpeg: String { self == .five ? "ffmpeg" : StreamerBinaries.path("ffmpeg") }
    package var ffprobe: String { self == .five ? "ffprobe" : StreamerBinaries.path("ffprobe") }
}
