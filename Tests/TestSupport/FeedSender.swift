import Foundation

/// FFmpeg as an encoder: sends the sample in a loop, as fast as it plays.
package final class FeedSender: Sendable {
    package let program: Program

    /// - Parameters:
    ///   - destination: Output options and URL.
    ///   - options: Before the destination, such as a timestamp offset.
    package init(to destination: [String], options: [String] = [], pipesOutput: Bool = false) throws {
        program = try Program(
            "ffmpeg",
            ["-v", "error", "-nostdin", "-re", "-stream_loop", "-1", "-i", Repository.feed, "-map", "0", "-c", "copy"]
                + options + destination,
            pipesOutput: pipesOutput
        )
    }

    deinit {
        program.kill()
    }

    package static func udp(port: Int, options: [String] = []) throws -> FeedSender {
        try FeedSender(to: ["-f", "mpegts", "udp://127.0.0.1:\(port)?pkt_size=1316"], options: options)
    }
}
