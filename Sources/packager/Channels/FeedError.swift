/// Stored feeds that had nothing to give: exit code 1, for a batch is not done without them.
struct FeedError: Error, CustomStringConvertible {
    var description: String

    init(_ errors: [FeedError]) {
        description = errors.map(\.description).joined(separator: "\npackager: ")
    }

    /// - Parameters:
    ///   - channel: Its name.
    ///   - feeds: Each with what it lacks.
    init(channel: String, _ feeds: [(feed: String, reason: String)]) {
        description = feeds.map { "channel \(channel): nothing could be published of \($0.feed): \($0.reason)" }
            .joined(separator: "\npackager: ")
    }
}
