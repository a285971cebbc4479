import Foundation
import TestSupport

/// A message of the log, as a literal in the sources.
struct LoggedMessage {
    var text: String
    /// The levels that the call names; empty where it has them from elsewhere.
    var levels: Set<String>
    /// The file and line of the call.
    var place: String

    /// A call whose message could not be found.
    struct Unreadable: Hashable {
        var place: String
        var call: String
    }

    /// The names of all levels.
    static let levels: Set = ["trace", "debug", "info", "notice", "warning", "error", "critical"]

    /// Returns all messages in the sources, and the calls that the scan could not read.
    static func all() throws -> (messages: [LoggedMessage], unreadable: [Unreadable]) {
        let sources = Repository.root.appending(path: "Sources")
        var messages: [LoggedMessage] = []
        var unreadable: [Unreadable] = []
        for path in try FileManager.default.subpathsOfDirectory(atPath: sources.path).sorted()
        where path.hasSuffix(".swift") {
            let text = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
            let found = scan(text, of: "Sources/\(path)")
            messages += found.messages
            unreadable += found.unreadable
        }
        return (messages, unreadable)
    }

    /// Scans one file.
    ///
    /// Messages are the literals in calls of `logger.notice("…")`, `logger.log(level: …, "…")` and `log(.notice, "…")`, and
    /// in arguments that are called `headline`.
    static func scan(_ text: String, of path: String) -> (messages: [LoggedMessage], unreadable: [Unreadable]) {
        guard text.contains("log(") || text.contains("logger.") || text.contains("headline:") else { return ([], []) }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var messages: [LoggedMessage] = []
        var unreadable: [Unreadable] = []
        for (index, line) in lines.enumerated() where !line.drop(while: { $0 == " " }).hasPrefix("//") {
            for call in LogCall.calls(in: line) {
                let rest = lines[(index + 1)...].prefix(LogCall.mostLines).joined(separator: "\n")
                let arguments = LogCall.arguments(of: "\(call.rest)\n\(rest)")
                let place = "\(path):\(index + 1)"
                switch call.message(among: arguments) {
                case .none: break
                case .texts(let texts, let levels):
                    messages += texts.map { LoggedMessage(text: $0, levels: levels, place: place) }
                case .unreadable: unreadable.append(Unreadable(place: place, call: String(line)))
                }
            }
        }
        return (messages, unreadable)
    }
}
