import ArgumentParser
import Foundation
import Ingest
import MediaCore
import Operations
import PackagerConfig
import Probing

/// `packager probe`: shows what a feed contains, and the stream that packager would make of it.
struct Probe: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Reports the contents of a feed, how well it arrives, and what would be published.",
        discussion: """
            It reads the feed like an input: tracks, codecs and bit rates, groups of pictures, captions, timecode, \
            SCTE-35, and timestamps compared with this machine's clock. At the end it suggests settings of the packager \
            and the encoder, and sums up in one sentence. It publishes nothing. --json prints the same with stable names.

              packager probe udp://239.0.0.1:5000 --seconds 30
              packager probe feed.ts --json

            Exit codes: 0 it would be published, 1 it would not, or another program uses its port, 2 bad usage.
            """
    )

    @Argument(
        help: ArgumentHelp("The feed, as for --input: a URL, a file, or - for standard input.", valueName: "feed")
    )
    var feed: String

    @Option(help: ArgumentHelp("Time to read the feed, and to wait for it.", valueName: "seconds"))
    var seconds: Double = 10

    @Flag(help: "Print the report as JSON.")
    var json = false

    private var location: FeedLocation {
        get throws {
            do {
                return try FeedLocation.checked(feed)
            } catch {
                throw ValidationError("\(error)")
            }
        }
    }

    func validate() throws {
        guard (1...86_400).contains(seconds) else {
            throw ValidationError("--seconds must be from 1 to 86400.")
        }
        _ = try location
    }

    func run() async throws {
        // The reason why a connection of SRT was refused comes from the library alone.
        LibraryLog.listen { LineWriter.standardError.write("\($0.source): \($0.text)") }
        let length = MediaTime(milliseconds: Int64((seconds * 1000).rounded()))
        let report = try await FeedProbe(location, length: length).run(patience: length)
        print(json ? String(decoding: try JSONEncoder.readable.encode(report), as: UTF8.self) : "\(report)")
        if !report.publication.isPossible { throw ExitCode(1) }
    }
}
