import ArgumentParser
import Conformance
import Fetching

/// `packager check`: checks a live stream as a strict client would.
struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Checks a live stream, of this packager or any other: playlists and segments.",
        discussion: """
            Follows every media playlist and looks into every segment that it lists: playlists have to change as they \
            may, segments to start with sync samples, and media, EXTINF and EXT-X-PROGRAM-DATE-TIME to tell one \
            timeline. Segments of METHOD=AES-128 and AES-256-GCM are decrypted \
            if their key can be fetched. Of a low-latency stream it also checks parts, hints, reports and delta updates, \
            and says what keeps players from it.

              packager check http://127.0.0.1:8080/live/index.m3u8

            Exit codes: 0 no rule is broken, 1 rules are broken, or there is no stream or no media, 2 bad usage.
            """
    )

    @Argument(help: ArgumentHelp("Multivariant or media playlist.", valueName: "url"))
    var url: String

    @Option(help: ArgumentHelp("Check this long; 0 is one pass over what is listed.", valueName: "seconds"))
    var duration: Double = 60

    func validate() throws {
        try Observation.validate(duration: duration)
        try Observation.validate(url: url)
    }

    func run() async throws {
        let result = try await Observation.run(for: "playlist to check") { client, progress throws(FetchError) in
            try await StreamCheck(of: url, through: client).run(for: .seconds(duration)) { progress($0.progress) }
        }
        if !result.isClean { throw ExitCode(1) }
    }
}
