import HummingbirdCore
package import Operations
import Presentation

/// Which events a request wants.
package struct EventQuery: Hashable, Sendable {
    /// Only those after this number; nil for the newest.
    package var after: Int?
    var limit = Self.defaultLimit

    static let defaultLimit = 100
    static let maximumLimit = 1000

    /// Reads `after=N&limit=M`.
    ///
    /// - Parameter target: The target of the request.
    /// - Throws: ``MalformedRequest`` with all problems.
    package init(target: String) throws(MalformedRequest) {
        var problems: [String] = []
        var names: Set<Substring> = []
        for (name, value) in URI(target).queryParameters {
            if !names.insert(name).inserted { problems.append("\"\(name)\" is there twice") }
            switch name {
            case "after":
                after = Int(value)
                if (after ?? -1) < 0 { problems.append("\"after\" must be the number of an event") }
            case "limit":
                limit = Int(value) ?? 0
                if !(1...Self.maximumLimit).contains(limit) {
                    problems.append("\"limit\" must lie between 1 and \(Self.maximumLimit)")
                }
            default:
                problems.append("unknown parameter \"\(name)\"; parameters: after, limit")
            }
        }
        guard problems.isEmpty else { throw MalformedRequest(problems) }
    }

    /// The oldest events after a number, or the newest of all; oldest first.
    package func entries(of log: EventLog) -> [EventLog.Entry] {
        guard let after else { return log.entries().suffix(limit) }
        return Array(log.entries(after: log.position(after)).prefix(limit))
    }
}

extension EventLog {
    /// Where a reader goes on that has got as far as a number: there, or from the start if that is the number of an
    /// earlier process; it is higher than this one's where the clock was set back in between.
    func position(_ number: Int) -> Int { (origin...newest).contains(number) ? number : origin }
}
