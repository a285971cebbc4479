import HTTPServing
import MediaCore
package import Operations
import Playlists

/// The events that a request wants.
package struct EventQuery: Hashable, Sendable {
    package private(set) var search = EventSearch(limit: Self.defaultLimit)

    static let defaultLimit = 100
    static let maximumLimit = 1000
    /// Bytes of what messages are searched for.
    static let longestText = 200

    static let parameters = ["after", "before", "channel", "from", "kind", "limit", "text", "to"]

    /// Reads `after=N&before=N&limit=M&channel=live,backup&kind=gap,media&from=TIME&to=TIME&text=WORDS`.
    ///
    /// - Parameter target: The target of the request.
    /// - Throws: ``MalformedRequest`` with all problems.
    package init(target: String) throws(MalformedRequest) {
        var problems: [String] = []
        var names: Set<String> = []
        for (name, value) in Request.query(of: target) {
            if !names.insert(name).inserted { problems.append("\"\(name)\" is there twice") }
            if let problem = read(name, value) { problems.append(problem) }
        }
        if let from = search.filter.from, let to = search.filter.to, from >= to {
            problems.append("\"from\" must be before \"to\"")
        }
        guard problems.isEmpty else { throw MalformedRequest(problems) }
    }

    /// - Returns: The problem with a parameter; nil if there is none.
    private mutating func read(_ name: String, _ value: String) -> String? {
        switch name {
        case "after", "before":
            guard let number = Int(value), number >= 0 else { return "\"\(name)\" must be the number of an event" }
            if name == "after" { search.after = number } else { search.before = number }
        case "limit":
            search.limit = Int(value) ?? 0
            guard (1...Self.maximumLimit).contains(search.limit) else {
                return "\"limit\" must lie between 1 and \(Self.maximumLimit)"
            }
        case "channel":
            search.filter.channels = Set(value.split(separator: ",").map(String.init))
            if search.filter.channels.isEmpty {
                return "\"channel\" must be the name of one, or of several with commas"
            }
        case "kind":
            let words = value.split(separator: ",")
            let kinds = words.compactMap { ChannelEvent.Kind(rawValue: String($0)) }
            guard kinds.count == words.count, !kinds.isEmpty else {
                let known = ChannelEvent.Kind.allCases.map(\.rawValue).joined(separator: ", ")
                return "\"kind\" must be some of: \(known)"
            }
            search.filter.kinds = Set(kinds)
        case "from", "to":
            guard let time = MediaTime(iso8601: value) else {
                return "\"\(name)\" must be a time in UTC, like 2026-11-23T08:00:00Z"
            }
            if name == "from" { search.filter.from = time } else { search.filter.to = time }
        case "text":
            guard (1...Self.longestText).contains(value.utf8.count) else {
                return "\"text\" must have between 1 and \(Self.longestText) bytes"
            }
            search.filter.text = value
        default:
            return "unknown parameter \"\(name)\"; parameters: \(Self.parameters.joined(separator: ", "))"
        }
        return nil
    }

    /// Returns the search in a history; a reader whose position the history knows continues from there.
    package func search(in history: EventHistory) -> EventSearch {
        var search = search
        search.after = search.after.map(history.position)
        return search
    }

    /// - Throws: ``MalformedRequest`` for what cannot be wanted of a stream, which continues.
    func checkForStream() throws(MalformedRequest) {
        let isPage = search.before != nil || search.filter.from != nil || search.filter.to != nil
        if isPage { throw MalformedRequest(["a stream of events has neither \"before\" nor \"from\" nor \"to\""]) }
    }
}
