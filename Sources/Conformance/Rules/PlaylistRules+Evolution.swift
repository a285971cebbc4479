import MediaCore
import Playlists

/// The rules for the step from one version to the next (RFC 8216bis § 6.2.1, 6.2.2).
extension PlaylistRules {
    /// Returns the violations in the step from one version to the next.
    static func violations(from old: MediaPlaylist, to new: MediaPlaylist) -> [RuleViolation] {
        var found: [RuleViolation] = []
        if new.targetDuration != old.targetDuration {
            found.append(RuleViolation(.targetDurationChanged, "from \(old.targetDuration) to \(new.targetDuration)"))
        }
        if old.isEnded, !new.isEnded || new.end > old.end {
            found.append(RuleViolation(.changedAfterEnd, "the playlist had ended before \(old.end)"))
        }
        if new.mediaSequence < old.mediaSequence {
            found.append(RuleViolation(.mediaSequenceDecreased, "from \(old.mediaSequence) to \(new.mediaSequence)"))
        } else if new.end < old.end {
            found.append(RuleViolation(.removedFromEnd, "the last number went from \(old.end) to \(new.end)"))
        }
        if let removed = removedCount(from: old, to: new) {
            found.append(
                RuleViolation(
                    .mediaSequenceMiscounted,
                    "from \(old.mediaSequence) to \(new.mediaSequence) while \(removed) segments left"
                )
            )
            // Numbers mean nothing now: every line would seem changed.
            return found
        }
        found += changedLines(from: old, to: new)
        found += lostParts(from: old, to: new)
        found += changedDateRanges(from: old, to: new)
        found += discontinuitySequence(from: old, to: new)
        let left = new.duration
        // A window that has not filled yet may be shorter; one that something was taken from may not.
        if new.mediaSequence > old.mediaSequence, !new.isEnded, left < MediaTime(seconds: 3) * Int64(new.targetDuration)
        {
            found.append(
                RuleViolation(.windowTooShort, "\(left) are left of a target duration of \(new.targetDuration)")
            )
        }
        return found
    }

    /// The number of segments that left the head, by URIs alone; nil if the numbers are right or no URI is in
    /// both.
    private static func removedCount(from old: MediaPlaylist, to new: MediaPlaylist) -> Int64? {
        guard let first = new.segments.first?.uri, !new.numbered.contains(where: { old[$0]?.uri == $1.uri }) else {
            return nil
        }
        if let index = old.segments.firstIndex(where: { $0.uri == first }) { return Int64(index) }
        // An origin that went back lists the old head further down.
        guard let head = old.segments.first?.uri, let index = new.segments.firstIndex(where: { $0.uri == head }) else {
            return nil
        }
        return -Int64(index)
    }

    private static func changedLines(from old: MediaPlaylist, to new: MediaPlaylist) -> [RuleViolation] {
        var found: [RuleViolation] = []
        for (number, segment) in new.begun {
            guard let before = listing(of: number, segment, in: old, isOver: number < new.end) else { continue }
            for difference in before.differences(from: segment, dateTolerance: 1) {
                // A discontinuity may leave together with the segment before it, if it is counted.
                if difference.attribute == .discontinuity, number == new.mediaSequence { continue }
                let rule: PlaylistRule =
                    switch difference.attribute {
                    case .gap: .gapChanged
                    case .part: .partChanged
                    default: .lineChanged
                    }
                found.append(RuleViolation(rule, number: number, "\(difference)"))
            }
        }
        return found
    }

    /// The listing of a segment in the version before; of an open segment, its known parts.
    private static func listing(
        of number: MediaSequenceNumber,
        _ segment: MediaPlaylist.Segment,
        in old: MediaPlaylist,
        isOver: Bool
    ) -> MediaPlaylist.Segment? {
        // A segment that was complete and no longer is, is reported for the whole version.
        guard number == old.end, var open = old.openSegments.first else { return isOver ? old[number] : nil }
        // Missing parts are reported elsewhere; the rest cannot be compared then.
        if open.parts.count > segment.parts.count { open.parts = [] }
        return open.segment(as: segment)
    }

    /// Finds parts that left the playlist within three target durations of the live edge.
    private static func lostParts(from old: MediaPlaylist, to new: MediaPlaylist) -> [RuleViolation] {
        if new.isEnded { return [] }
        var found: [RuleViolation] = []
        func compare(_ number: MediaSequenceNumber, _ parts: [MediaPlaylist.Part]) {
            let before = number == old.end ? old.openSegments.first?.parts : old[number]?.parts
            guard let before, before.count > parts.count else { return }
            let text = "\(before.count - parts.count) of its \(before.count) parts left the live edge"
            found.append(RuleViolation(.partChanged, number: number, text))
        }
        if new.openSegments.isEmpty, new.end == old.end { compare(new.end, []) }
        var distance = MediaTime.zero
        for (number, segment) in new.begun.reversed() {
            distance += segment.duration.time
            guard distance <= MediaTime(seconds: 3) * Int64(new.targetDuration) else { break }
            compare(number, segment.parts)
        }
        return found
    }

    private static func changedDateRanges(from old: MediaPlaylist, to new: MediaPlaylist) -> [RuleViolation] {
        let (before, now) = (old.allDateRanges, new.allDateRanges)
        guard !before.isEmpty, let start = new.segments.first?.programDateTime else { return [] }
        let listed = Set(now.map(\.id))
        let removed = Set(before.reaching(start).map(\.id)).subtracting(listed).sorted()
        let altered = Set(now.filter { tag in before.contains { $0.id == tag.id && $0.isAltered(by: tag) } }.map(\.id))
        return removed.map { RuleViolation(.dateRangeRemoved, "\($0) is gone, and not over at \(start.iso8601)") }
            + altered.sorted().map { RuleViolation(.dateRangeAltered, "\($0) says something else than before") }
    }

    private static func discontinuitySequence(from old: MediaPlaylist, to new: MediaPlaylist) -> [RuleViolation] {
        let common = max(old.mediaSequence, new.mediaSequence)
        if let before = old.discontinuitySequence(of: common), let now = new.discontinuitySequence(of: common) {
            guard before != now else { return [] }
            return [
                RuleViolation(
                    .discontinuitySequenceMiscounted,
                    number: common,
                    "its discontinuity sequence number went from \(before) to \(now)"
                )
            ]
        }
        guard new.mediaSequence >= old.end, new.discontinuitySequence < old.lastDiscontinuitySequence else { return [] }
        return [
            RuleViolation(
                .discontinuitySequenceMiscounted,
                "it went from \(old.lastDiscontinuitySequence) back to \(new.discontinuitySequence)"
            )
        ]
    }
}
