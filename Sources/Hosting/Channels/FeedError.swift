/// The reason why the program ends by itself.
package struct FeedError: Error, CustomStringConvertible {
    package var description: String
    /// 1 if a job is not done, 3 if all feeds came through pipes, and these have ended.
    package let exitCode: Int32

    private static let separator = "\npackager: "

    init(_ errors: [FeedError]) {
        description = errors.map(\.description).joined(separator: Self.separator)
        exitCode = errors.map(\.exitCode).min() ?? 1
    }

    /// Makes an error of stored feeds without media.
    ///
    /// - Parameters:
    ///   - channel: Its name.
    ///   - feeds: The feeds, each with the reason.
    init(channel: String, _ feeds: [(feed: String, reason: String)]) {
        description = feeds.map { "channel \(channel): nothing of \($0.feed) could be published: \($0.reason)" }
            .joined(separator: Self.separator)
        exitCode = 1
    }

    /// A job whose files are not all there.
    init(channel: String, unwritten reason: String) {
        description = "channel \(channel): not all is written: \(reason)"
        exitCode = 1
    }

    /// Describes the end of feeds through pipes: only the process that writes to them can begin anew.
    init(endOfPipesOf channel: String) {
        description = "channel \(channel): its feed has ended, and a pipe cannot be opened again"
        exitCode = 3
    }

    var isEndOfPipes: Bool { exitCode == 3 }
}
