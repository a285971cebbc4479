package import MediaCore
package import Playlists

/// A rule that a playlist broke, and where.
package struct RuleViolation: Hashable, Sendable, Codable {
    var rule: PlaylistRule
    /// The media sequence number of the segment; nil if the rule is not about a segment.
    package var number: Int64?
    /// The finding and the expectation, in words.
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
