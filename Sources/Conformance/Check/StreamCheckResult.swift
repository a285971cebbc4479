/// The findings of a check of a live stream.
package struct StreamCheckResult: Hashable, Sendable, Codable {
    /// A rule that one of the playlists broke, or one of its segments.
    package struct Finding: Hashable, Sendable, Codable, CustomStringConvertible {
        /// The URI in the multivariant playlist.
        package var playlist: String
        var violation: RuleViolation

        package var description: String { "\(playlist): \(violation)" }
    }

    /// The reason why segments were not looked into.
    enum Omission: String, Hashable, Sendable, Codable, CodingKeyRepresentable {
        case encrypted
        case byteRange = "byte range"
        case initialization = "their initialization section cannot be read"
    }

    package var playlists = 0
    /// Versions of media playlists.
    var versions = 0
    /// Segments that were looked into.
    package var segments = 0
    package var gaps = 0
    package var bytes = 0
    var omitted: [Omission: Int] = [:]
    /// The reasons why Safari, and other players with Apple's low-latency profile, play no parts; nil if there are
    /// none.
    var lowLatencyObstacles: [String]?
    /// Requests without a complete answer.
    var unanswered = 0
    /// The findings in the order in which they were found.
    var findings = CappedList<Finding>()

    init() {}

    /// True if there was a stream with media, and nothing is wrong with it.
    package var isClean: Bool { findings.count == 0 && unanswered == 0 && versions > 0 && hasMedia }

    /// True if a segment was listed that is no gap.
    private var hasMedia: Bool { segments > 0 || !omitted.isEmpty }

    mutating func add(_ other: Self) {
        versions += other.versions
        segments += other.segments
        gaps += other.gaps
        bytes += other.bytes
        omitted.merge(other.omitted, uniquingKeysWith: +)
        unanswered += other.unanswered
        findings.append(contentsOf: other.findings)
    }
}

extension StreamCheckResult {
    /// The progress of a check under way, in one line.
    package var progress: String {
        "\(versions) playlists · \(segments) segments · \(bytes / 1_000_000) MB · \(findings.count) findings"
    }
}

extension StreamCheckResult: CustomStringConvertible {
    private var verdict: String {
        if isClean { return "no rule is broken" }
        if findings.count > 0 { return "rules are broken: \(findings.count) findings" }
        if unanswered > 0 || versions == 0 { return "not everything could be fetched" }
        return gaps > 0 ? "no media: all \(gaps) segments are gaps" : "no media: no segment is listed"
    }

    /// A verdict, the first findings, and the counts.
    package var description: String {
        var lines = [verdict]
        lines += findings.first.prefix(50).map { "  \($0)" }
        lines.append(
            "looked into: \(playlists) media playlists in \(versions) versions, \(segments) segments of \(bytes) bytes; "
                + "\(gaps) gaps"
        )
        let omitted = omitted.sorted { $0.key.rawValue < $1.key.rawValue }.map {
            "\($0.value) segments (\($0.key.rawValue))"
        }
        if !omitted.isEmpty { lines.append("not looked into: \(omitted.joined(separator: ", "))") }
        if let obstacles = lowLatencyObstacles {
            let why = "not in Safari: \(obstacles.joined(separator: "; "))"
            lines.append("low latency: \(obstacles.isEmpty ? "players can use it" : why)")
        }
        if unanswered > 0 { lines.append("\(unanswered) requests were not answered in time, or not at all") }
        return lines.joined(separator: "\n")
    }
}
