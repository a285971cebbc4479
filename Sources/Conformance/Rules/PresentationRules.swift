import MediaCore
import Playlists

/// Checks the media playlists of one presentation against each other, and against the low-latency profile
/// (RFC 8216bis § 6.2.4 and B.1).
struct PresentationRules: Sendable {
    /// A version of a media playlist as a client got it.
    struct Version: Sendable {
        /// The playlist's URI in the multivariant playlist.
        var name: String
        /// Its URLs: the requested one, and the one after redirects.
        var urls: Set<String>
        /// The URL that its references are relative to.
        var base: String
        var playlist: MediaPlaylist
        /// True if it came over HTTP/2 or later; nil if that is not known.
        var isMultiplexed: Bool?
    }

    /// The rules that a playlist breaks, each reported once.
    private(set) var findings = CappedList<StreamCheckResult.Finding>()
    /// The reasons why Safari, and other players with Apple's profile, play no parts; nil if there are none.
    private(set) var lowLatencyObstacles: [String]?
    private var reported: Set<String> = []

    init() {}

    /// Takes the versions of all playlists that a client got at about the same time.
    mutating func take(_ versions: [Version]) {
        lowLatencyObstacles = Self.obstacles(in: versions)
        for finding in Self.findings(in: versions)
        where reported.insert("\(finding.violation.rule.rawValue) \(finding.playlist)").inserted {
            findings.append(finding)
        }
    }

    static func findings(in versions: [Version]) -> [StreamCheckResult.Finding] {
        differingControls(of: versions) + missingDates(of: versions)
            + versions.compactMap { version -> StreamCheckResult.Finding? in
                let missing = missingReports(in: version, of: versions)
                if missing.isEmpty { return nil }
                let text = "no EXT-X-RENDITION-REPORT of \(missing.joined(separator: ", "))"
                return StreamCheckResult.Finding(
                    playlist: version.name,
                    violation: RuleViolation(.reportMissing, text)
                )
            }
    }

    private static func missingDates(of versions: [Version]) -> [StreamCheckResult.Finding] {
        guard let dated = versions.first(where: \.playlist.isDated) else { return [] }
        return versions.filter { !$0.playlist.isDated }.map { version in
            let text = "it has no EXT-X-PROGRAM-DATE-TIME, and \(dated.name) has"
            return StreamCheckResult.Finding(playlist: version.name, violation: RuleViolation(.dateMissing, text))
        }
    }

    private static func differingControls(of versions: [Version]) -> [StreamCheckResult.Finding] {
        guard let first = versions.first else { return [] }
        func control(of version: Version) -> String { version.playlist.serverControl?.description ?? "nothing" }
        return versions.filter { control(of: $0) != control(of: first) }.map { version in
            let text = "it says \(control(of: version)), and \(first.name) says \(control(of: first))"
            return StreamCheckResult.Finding(
                playlist: version.name,
                violation: RuleViolation(.serverControlDiffers, text)
            )
        }
    }

    /// The names of the playlists that a low-latency playlist should report on, and does not.
    private static func missingReports(in version: Version, of all: [Version]) -> [String] {
        guard all.contains(where: \.playlist.hasParts), version.playlist.isLive else { return [] }
        let reported = Set(version.playlist.reports.map { $0.uri.resolved(against: version.base).withoutQuery })
        let others = all.filter { $0.name != version.name && $0.playlist.isLive }
        return others.filter { $0.urls.allSatisfy { !reported.contains($0.withoutQuery) } }.map(\.name)
    }

    /// The reasons why players that keep to the profile play with the usual latency; nil if no playlist has parts.
    static func obstacles(in versions: [Version]) -> [String]? {
        guard versions.contains(where: \.playlist.hasParts) else { return nil }
        let checks: [(String, (Version) -> Bool)] = [
            ("HTTP/2", { $0.isMultiplexed != false }),
            ("CAN-BLOCK-RELOAD=YES", { $0.playlist.serverControl?.canBlockReload == true }),
            ("PART-HOLD-BACK", { $0.playlist.serverControl?.partHoldBack != nil }),
            (
                "a hint at the next part",
                { !$0.playlist.hasParts || $0.playlist.hints.contains { $0.kind == .part } }
            ),
            ("all rendition reports", { missingReports(in: $0, of: versions).isEmpty }),
        ]
        return checks.compactMap { what, holds -> String? in
            let names = versions.filter { $0.playlist.isLive && !holds($0) }.map(\.name)
            return names.isEmpty ? nil : "\(names.joined(separator: ", ")) without \(what)"
        }
    }
}

extension MediaPlaylist {
    /// True if it continues, and is not an I-frame playlist, which has no parts.
    fileprivate var isLive: Bool { !isEnded && !isIFramesOnly }
}
