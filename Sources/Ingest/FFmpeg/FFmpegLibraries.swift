import CFFmpeg

/// Versions of FFmpeg's libraries, as the system has them.
package enum FFmpegLibraries {
    package static var format: String { text(avformat_version()) }
    package static var codec: String { text(avcodec_version()) }

    /// - Parameter version: As AV_VERSION_INT makes it.
    /// - Returns: The version in words, such as `59.27.100`.
    private static func text(_ version: UInt32) -> String {
        "\(version >> 16).\(version >> 8 & 0xFF).\(version & 0xFF)"
    }
}
