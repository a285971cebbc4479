import MediaCore
import Playlists

/// The rules for one version of a low-latency playlist (RFC 8216bis § 4.4.3.8, 4.4.4.9 and B.1).
extension PlaylistRules {
    static func lowLatencyViolations(in playlist: MediaPlaylist) -> [RuleViolation] {
        var found = serverControl(of: playlist) + parts(in: playlist) + edge(of: playlist)
        if playlist.skip != nil {
            found.append(RuleViolation(.deltaContradicted, "EXT-X-SKIP, and nobody asked for a delta update"))
        }
        return found
    }

    /// Playlists round their numbers, by less than a millisecond.
    private static let rounding = MediaTime(milliseconds: 1)

    private static func serverControl(of playlist: MediaPlaylist) -> [RuleViolation] {
        var found: [RuleViolation] = []
        /// Returns true if the value exists, and is long enough.
        @discardableResult
        func demand(_ rule: PlaylistRule, _ name: String, _ value: MediaTime?, _ least: MediaTime) -> Bool {
            guard let value, value + rounding < least else { return value != nil }
            let text = "\(name) is \(value.decimalSeconds) s, and should be \(least.decimalSeconds) s at least"
            found.append(RuleViolation(rule, text))
            return false
        }
        let control = playlist.serverControl
        let target = MediaTime(seconds: Int64(playlist.targetDuration))
        demand(.holdBackTooShort, "HOLD-BACK", control?.holdBack, target * 3)
        demand(.skipBoundaryTooShort, "CAN-SKIP-UNTIL", control?.canSkipUntil, target * 6)
        guard let partTarget = playlist.partTarget else { return found }
        let (name, partHoldBack) = ("PART-HOLD-BACK", control?.partHoldBack)
        if partHoldBack == nil { found.append(RuleViolation(.partHoldBackTooShort, "\(name) is missing")) }
        if demand(.partHoldBackTooShort, name, partHoldBack, partTarget * 2) {
            demand(.partHoldBackNotAdvised, name, partHoldBack, partTarget * 3)
        }
        return found
    }

    private static func parts(in playlist: MediaPlaylist) -> [RuleViolation] {
        guard let target = playlist.partTarget else { return [] }
        var found: [RuleViolation] = []
        var isOldest = true
        for (number, segment) in playlist.begun where !segment.parts.isEmpty {
            found += lengths(of: segment.parts, in: number, target)
            // The oldest may have lost some.
            let (sum, duration) = (segment.parts.duration, segment.duration.time)
            let isComplete = !isOldest || sum > duration
            if isComplete, (sum - duration).magnitude > rounding * Int64(segment.parts.count) {
                let text = "its parts last \(sum.decimalSeconds) s, and EXTINF is \(segment.duration)"
                found.append(RuleViolation(.partsContradictDuration, number: number, text))
            }
            isOldest = false
        }
        if playlist.openSegments.count > 1 {
            let text = "a part stands above tags that begin a segment, and no URI between them"
            found.append(RuleViolation(.tagBelowPart, number: playlist.end, text))
        }
        return found
    }

    private static func lengths(
        of parts: [MediaPlaylist.Part],
        in number: MediaSequenceNumber,
        _ target: MediaTime
    ) -> [RuleViolation] {
        var found: [RuleViolation] = []
        for (index, part) in parts.enumerated() {
            func report(_ rule: PlaylistRule) {
                let text = "part \(index) lasts \(part.duration) s, and PART-TARGET is \(target.decimalSeconds) s"
                found.append(RuleViolation(rule, number: number, text))
            }
            let duration = part.duration.time
            if duration > target { report(.partAboveTarget) }
            // The last part may be short, and only the next one shows that it is not the last.
            guard let next = parts.dropFirst(index + 1).first, !part.isIndependent, !part.isGap, !next.isGap else {
                continue
            }
            if (duration.ticks + 1) * 100 < target.ticks * 85 { report(.partTooShort) }
        }
        return found
    }

    /// The rules for tags at the live edge, and for tags that should have left it.
    private static func edge(of playlist: MediaPlaylist) -> [RuleViolation] {
        var found: [RuleViolation] = []
        if playlist.isEnded {
            if !playlist.hints.isEmpty || playlist.keyHint != nil {
                found.append(RuleViolation(.hintAfterEnd, "EXT-X-PRELOAD-HINT with EXT-X-ENDLIST"))
            }
        } else if playlist.hasParts, !playlist.hints.contains(where: { $0.kind == .part }) {
            found.append(RuleViolation(.hintMissing, "EXT-X-PRELOAD-HINT of TYPE=PART is missing"))
        }
        for report in playlist.reports where report.uri.contains("://") || report.uri.hasPrefix("//") {
            found.append(RuleViolation(.reportNotRelative, "\(report.uri) is absolute"))
        }
        let target = MediaTime(seconds: Int64(playlist.targetDuration))
        var following = MediaTime.zero
        // A playlist ends with its last whole segment (§ 4.1, 6.2.5.1).
        for segment in playlist.segments.reversed() {
            if following > target * 3 + rounding, !segment.parts.isEmpty {
                found.append(RuleViolation(.partsTooOld, "more than three target durations follow a part"))
                break
            }
            following += segment.duration.time
        }
        return found
    }
}
