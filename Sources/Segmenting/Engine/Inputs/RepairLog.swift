package import MediaCore

/// Counts repairs, and reports each kind and input at most once a minute: a bad feed must not fill a disk.
package struct RepairLog: Sendable {
    /// The number of repairs of each kind since the channel was made.
    package private(set) var totals: [String: Int] = [:]
    private var counts: [Subject: Int] = [:]
    private var reasons: [Subject: String] = [:]
    private var reported: [Subject: (count: Int, at: MediaTime)] = [:]

    private struct Subject: Hashable {
        var kind: String
        var input: InputID?
    }

    /// A report that is due.
    package struct Repair: Hashable, Sendable {
        package var kind: String
        /// The input; nil if the repair belongs to none.
        package var input: InputID?
        /// The number of repairs since the last report.
        package var count: Int
        /// The reason of the last of them.
        package var reason: String?
        /// True if this kind and input were never reported before.
        package var isFirst = true
    }

    private static let period = MediaTime(seconds: 60)

    package init() {}

    /// Counts repairs of a kind.
    package mutating func record(
        _ kind: String,
        of input: InputID? = nil,
        because reason: String? = nil,
        count: Int = 1
    ) {
        totals[kind, default: 0] += count
        let subject = Subject(kind: kind, input: input)
        counts[subject, default: 0] += count
        if let reason { reasons[subject] = reason }
    }

    /// Returns the reports that are due now.
    package mutating func due(at now: MediaTime) -> [Repair] {
        var due: [Repair] = []
        for (subject, total) in counts {
            let last = reported[subject]
            guard total > last?.count ?? 0 else { continue }
            if let last, now - last.at < Self.period { continue }
            due.append(
                Repair(
                    kind: subject.kind,
                    input: subject.input,
                    count: total - (last?.count ?? 0),
                    reason: reasons[subject],
                    isFirst: last == nil
                )
            )
            reported[subject] = (total, now)
        }
        return due.sorted { ($0.kind, $0.input?.description ?? "") < ($1.kind, $1.input?.description ?? "") }
    }

    package static let unreadablePacket = "unreadablePacket"
    package static let damagedPacket = "damagedPacket"
    package static let undecodableAudio = "undecodableAudio"
    package static let unreadableSplice = "unreadableSplice"
    package static let implausibleSplice = "implausibleSplice"
    package static let surplusBreak = "surplusBreak"
    package static let implausibleCue = "implausibleCue"
    package static let oversizedTag = "oversizedTag"
    package static let heldTooLong = "heldTooLong"
    package static let unpublishableSegment = "unpublishableSegment"

    /// The kinds that are no `rawValue` of the segmenter's repairs.
    package static let kinds = [
        unreadablePacket, damagedPacket, undecodableAudio, unreadableSplice, implausibleSplice, surplusBreak,
        implausibleCue, oversizedTag, heldTooLong, unpublishableSegment,
    ]
}
