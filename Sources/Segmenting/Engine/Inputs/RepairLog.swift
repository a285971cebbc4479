package import MediaCore

/// Counts repairs and says of each kind and input at most once a minute that it happened: a bad feed must not fill a disk.
package struct RepairLog: Sendable {
    /// How often each kind has happened since the channel was made.
    package private(set) var totals: [String: Int] = [:]
    private var counts: [Subject: Int] = [:]
    private var reasons: [Subject: String] = [:]
    private var reported: [Subject: (count: Int, at: MediaTime)] = [:]

    private struct Subject: Hashable {
        var kind: String
        var input: InputID?
    }

    /// What is to be said.
    package struct Repair: Hashable, Sendable {
        package var kind: String
        /// Nil where it is nobody's fault.
        package var input: InputID?
        /// How often it has happened since it was said last.
        package var count: Int
        /// What it came of, the last time.
        package var reason: String?
        /// Whether it was never said before of this kind and input.
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

    /// What is to be said now.
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
    package static let implausibleCue = "implausibleCue"
    package static let heldTooLong = "heldTooLong"
    package static let unpublishableSegment = "unpublishableSegment"

    /// Those that no part of the segmenter names.
    package static let kinds = [
        unreadablePacket, damagedPacket, undecodableAudio, unreadableSplice, implausibleSplice, implausibleCue,
        heldTooLong, unpublishableSegment,
    ]
}
