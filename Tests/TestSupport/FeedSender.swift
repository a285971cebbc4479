import Foundation

/// FFmpeg as an encoder: sends the sample in a loop, as fast as it plays.
package final class FeedSender: Sendable {
    package let program: Program
    private let list: URL

    /// - Parameters:
    ///   - destination: Output options and URL.
    ///   - options: Before the destination, such as a timestamp offset.
    ///   - feed: A file that repeats without a seam.
    ///   - pace: How fast it reads: an option of FFmpeg's.
    ///   - pipesOutput: Whether another program reads its standard output.
    ///   - rounds: How often it repeats.
    /// - Throws: If FFmpeg is not installed.
    package init(
        to destination: [String],
        options: [String] = [],
        feed: String = Repository.feed,
        pace: [String] = ["-re"],
        pipesOutput: Bool = false,
        rounds: Int = 60
    ) throws {
        // FFmpeg's -stream_loop loses the key frame at the seam, as no encoder would; its concat demuxer does not.
        list = FileManager.default.temporaryDirectory.appending(path: "feed-\(UUID().uuidString).txt")
        let round = "file '\(feed)'\nduration 8.0\n"
        try (0..<rounds).map { _ in round }.joined().write(to: list, atomically: true, encoding: .utf8)
        program = try Program(
            "ffmpeg",
            ["-v", "error", "-nostdin"] + pace
                + ["-f", "concat", "-safe", "0", "-i", list.path, "-map", "0", "-c", "copy"]
                + options + destination,
            pipesOutput: pipesOutput
        )
    }

    deinit {
        program.kill()
        try? FileManager.default.removeItem(at: list)
    }

    package static func udp(
        port: Int,
        options: [String] = [],
        feed: String = Repository.feed,
        pace: [String] = ["-re"]
    ) throws -> FeedSender {
        let destination = ["-f", "mpegts", "udp://127.0.0.1:\(port)?pkt_size=1316"]
        return try FeedSender(to: destination, options: options, feed: feed, pace: pace)
    }

    /// Options with which timestamps are UTC modulo 2^33 in 90 kHz, from a whole second on.
    package static var utc: [String] {
        // FFmpeg adds 1.4 s to all timestamps of a transport stream.
        let now = Date.now.timeIntervalSince1970.rounded(.down)
        return ["-output_ts_offset", "\(now.truncatingRemainder(dividingBy: Double(1 << 33) / 90_000) - 1.4)"]
    }
}
