import ArgumentParser
import Conformance
import Fetching

/// `packager check`: checks a live stream as a strict client would.
struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Checks the playlists and segments of a live stream, from this packager or any other.",
        discussion: """
            Follows every media playlist and examines every segment. Playlists must change only as the rules allow, \
            segments must start with sync samples, and media, EXTINF and EXT-X-PROGRAM-DATE-TIME must agree. It decrypts \
            segments with METHOD=AES-128 and AES-256-GCM if it can fetch the key. In a low-latency stream it also checks \
            parts, hints, reports and delta updates, and says what prevents players from using them.

              packager check http://127.0.0.1:8080/live/index.m3u8

            Exit codes: 0 no rule is broken, 1 rules are broken, or there is no stream or no media, 2 bad usage.
            """
    )

    @Argument(help: ArgumentHelp("Multivariant or media playlist.", valueName: "url"))
    var url: String

    @Option(help: ArgumentHelp("Time to check; 0 is one pass over the listed segments.", valueName: "seconds"))
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
