package import MediaCore
package import Playlists

/// A rule that a playlist broke, and where.
package struct RuleViolation: Hashable, Sendable, Codable {
    var rule: PlaylistRule
    /// Media sequence number of the segment, where it is about one.
    package var number: Int64?
    /// A text that says what was found, and what should have been.
    var detail: String

    package init(_ rule: PlaylistRule, number: MediaSequenceNumber? = nil, _ detail: String) {
        self.rule = rule
        self.number = number?.value
        self.detail = detail
    }

    package init(_ error: PlaylistParsingError) {
        self.init(.malformed, "\(error)")
    }
}

extension RuleViolation: CustomStringConvertible {
    package var description: String {
        "\(rule.rawValue)\(number.map { " at \($0)" } ?? ""): \(detail) (\(rule.clause))"
    }
}
