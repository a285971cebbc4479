import ArgumentParser
import Foundation
import Ingest
import MediaCore
import Operations
import PackagerConfig
import Probing

/// `packager probe`: shows what a feed contains, and what would become of it.
struct Probe: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Reports the contents of a feed, how well it arrives, and what would be published of it.",
        discussion: """
            The feed is read as an input is: tracks, codecs and bit rates, groups of pictures, captions, timecode, SCTE-35, \
            timestamps against this machine's clock. It ends with what settings, or the encoder, would make better, and one \
            sentence. Nothing is published. --json has the same with names that stay.

              packager probe udp://239.0.0.1:5000 --seconds 30
              packager probe feed.ts --json

            Exit codes: 0 it would be published, 1 it would not, or its port is in use by another program, 2 bad usage.
            """
    )

    @Argument(help: ArgumentHelp("The feed, like an input: a URL, a file, or - for standard input.", valueName: "feed"))
    var feed: String

    @Option(help: ArgumentHelp("Length of the feed to read, and time to wait for it.", valueName: "seconds"))
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
            throw ValidationError("--seconds is a number from 1 to 86400.")
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
