/// FFmpeg as judge, of two ages: what one reads by chance, the other does not.
package enum FFmpegGeneration: String, CaseIterable, Sendable {
    /// Debian's.
    case five = "5.1"
    /// The version of Shaka Streamer's binaries.
    case eight = "8.1"

    /// True if it has a decoder of AV1 that needs no hardware; its demuxers know AV1 in any case.
    package var decodesAV1: Bool { self == .five }

    package var ffmpeg: String { self == .five ? "ffmpeg" : StreamerBinaries.path("ffmpeg") }
    package var ffprobe: String { self == .five ? "ffprobe" : StreamerBinaries.path("ffprobe") }
}
