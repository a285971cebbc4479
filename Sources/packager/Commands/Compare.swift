import ArgumentParser
import Conformance
import Fetching

/// `packager compare`: proves that two origins publish one stream.
struct Compare: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Compares two origins of one stream: lines and bytes, segment by segment.",
        discussion: """
            Every slot that both list must have the same lines and the same bytes. Slots that only one lists (edges of \
            the window, a later start, an outage) are counted, but are no difference.

              packager compare http://a:8080/live/index.m3u8 http://b:8080/live/index.m3u8

            Exit codes: 0 identical, 1 different or not comparable, 2 bad usage.
            """
    )

    @Argument(help: ArgumentHelp("Multivariant playlist of one origin.", valueName: "url"))
    var first: String

    @Argument(help: ArgumentHelp("Multivariant playlist of the other origin.", valueName: "url"))
    var second: String

    @Option(help: ArgumentHelp("Time to compare; 0 is one pass over both windows.", valueName: "seconds"))
    var duration: Double = 60

    func validate() throws {
        try Observation.validate(duration: duration)
        for url in [first, second] { try Observation.validate(url: url) }
    }

    func run() async throws {
        let result = try await Observation.run(for: "multivariant playlist to compare") {
            client,
            progress throws(FetchError) in
            try await PairComparer(first, second, through: client).run(for: .seconds(duration)) {
                progress($0.progress)
            }
        }
        if !result.isIdentical { throw ExitCode(1) }
    }
}
