import ArgumentParser
import Conformance
import Fetching
import Operations

/// `packager compare`: proves that two origins publish one stream.
struct Compare: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Compares two origins of one stream: lines and bytes, segment by segment.",
        discussion: """
            Every slot that both list must have the same lines, and the same bytes behind them. Slots that only one \
            lists (edges of the window, a later start, an outage) are counted, and are no difference.

              packager compare http://a:8080/live/index.m3u8 http://b:8080/live/index.m3u8

            Exit codes: 0 identical, 1 different or not to be compared, 2 bad usage.
            """
    )

    @Argument(help: ArgumentHelp("Multivariant playlist of one origin.", valueName: "url"))
    var first: String

    @Argument(help: ArgumentHelp("The same of the other.", valueName: "url"))
    var second: String

    @Option(help: ArgumentHelp("Compare this long; 0 is one pass over both windows.", valueName: "seconds"))
    var duration: Double = 60

    func validate() throws {
        guard (0...1e9).contains(duration) else {
            throw ValidationError("--duration is a number of seconds from 0 up.")
        }
        for url in [first, second] where !url.hasPrefix("http://") && !url.hasPrefix("https://") {
            throw ValidationError("\(url) is not an http or https URL.")
        }
    }

    func run() async throws {
        let terminal = LineWriter.standardError
        let result: PairResult
        do throws(FetchError) {
            result = try await OriginClient.withClient { client throws(FetchError) in
                try await PairComparer(first, second, through: client).run(for: .seconds(duration)) { counts in
                    if terminal.isTerminal { terminal.show(progress: counts.progress) }
                }
            }
        } catch {
            terminal.write("packager: no multivariant playlist to compare: \(error)")
            throw ExitCode(1)
        }
        if terminal.isTerminal { terminal.show(progress: "") }
        print(result)
        if !result.isIdentical { throw ExitCode(1) }
    }
}
