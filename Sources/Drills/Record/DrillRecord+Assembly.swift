import Conformance
import MediaCore
import Playlists

extension DrillRecord {
    /// Makes the record of all observations.
    ///
    /// - Parameters:
    ///   - clock: The clock of the drill.
    ///   - span: The time of the record.
    ///   - origins: The slots that each origin listed; the first origin that listed a slot counts.
    ///   - viewer: The player's report.
    ///   - events: The events of packagers, and of the drill.
    ///   - hasEvents: True if the events of all packagers were read.
    ///   - comparison: The comparison of the members of a pair.
    init(
        clock: DrillClock,
        span: Span,
        origins: [SlotCollector],
        viewer: ViewerReport?,
        events: [Event],
        hasEvents: Bool,
        comparison: PairResult? = nil
    ) {
        self.init(zero: clock.zero.iso8601, span: span, targetDuration: origins.map(\.targetDuration).max() ?? 0)
        renditions = Self.merge(origins.map(\.renditions))
        ranges = Self.merge(origins.map(\.ranges))
        ages = origins.flatMap(\.ages).sorted { ($0.time, $0.rendition) < ($1.time, $1.rendition) }
        (self.events, self.hasEvents) = (events, hasEvents)
        if let viewer {
            enter(viewer, clock)
            self.events += Self.events(of: viewer, clock)
        }
        self.events.sort { $0.time < $1.time }
        markFillers()
        differences = comparison.map { $0.differences.first.map { Finding(time: nil, message: "\($0)") } }
    }

    /// Returns the record with the actions of the drill.
    func with(parts: [Part], breaks: [Span] = [], events: [Event], audience: Audience? = nil) -> DrillRecord {
        var record = self
        record.audience = audience
        (record.parts, record.breaks) = (parts, breaks)
        record.events = (record.events + events).sorted { $0.time < $1.time }
        return record
    }

    /// Returns each range once, with its end if any origin has one.
    private static func merge(_ origins: [[Range]]) -> [Range] {
        var merged: [Range] = []
        for range in origins.joined() {
            guard let index = merged.firstIndex(where: { $0.id == range.id }) else {
                merged.append(range)
                continue
            }
            merged[index].end = merged[index].end ?? range.end
            merged[index].listed = min(merged[index].listed, range.listed)
        }
        return merged.sorted { $0.start < $1.start }
    }

    private static func merge(_ origins: [[Rendition]]) -> [Rendition] {
        var merged: [Rendition] = []
        for rendition in origins.joined() {
            guard let index = merged.firstIndex(where: { $0.name == rendition.name }) else {
                merged.append(rendition)
                continue
            }
            let all = merged[index].slots + rendition.slots
            let byNumber = Dictionary(all.map { ($0.number, $0) }) { $0.listed <= $1.listed ? $0 : $1 }
            merged[index].slots = byNumber.values.sorted { $0.number < $1.number }
        }
        return merged
    }

    private mutating func enter(_ viewer: ViewerReport, _ clock: DrillClock) {
        player.started = viewer.startup.map { clock.time(ofUTC: viewer.startedAt + $0) }
        player.buffer = viewer.samples.points.map { point in
            BufferLevel(time: clock.time(ofUTC: point.at), level: Int(point.buffer))
        }
        player.stalls = viewer.stalls.first.map { stall in
            let start = clock.time(ofUTC: stall.at)
            return Span(start, start + Int(stall.duration))
        }
        player.jumps = viewer.jumps.first.map { Jump(time: clock.time(ofUTC: $0.at), length: Int($0.duration)) }
        violations = viewer.violations.first.map { violation in
            Finding(time: clock.time(ofUTC: violation.at), message: "\(violation.playlist): \(violation.violation)")
        }
        reuses = viewer.changedSegments.first.map { segment in
            Finding(
                time: clock.time(ofUTC: segment.at),
                message: "\(segment.playlist): number \(segment.number) came with other bytes than before"
            )
        }
    }

    /// The player's observations, in the words of events.
    private static func events(of viewer: ViewerReport, _ clock: DrillClock) -> [Event] {
        func event(_ utc: Int64, _ kind: String, _ message: String) -> Event {
            Event(time: clock.time(ofUTC: utc), source: "player", kind: kind, message: message)
        }
        let stalls = viewer.stalls.first.map { event($0.at, "stall", "it waits for \($0.duration) ms") }
        let failures = viewer.failures.first.map { event($0.at, "request-failed", "\($0.resource): \($0.error)") }
        let refusals = viewer.levelErrors.first.map {
            event($0.at, "playlist-refused", "\($0.track.rawValue): \($0.detail)")
        }
        let changes = viewer.variants.first.map { event($0.at, "variant", "it goes on in variant \($0.variant + 1)") }
        return stalls + failures + refusals + changes
    }

    /// Fillers look like media to players: only the packager says which slots they are.
    private mutating func markFillers() {
        for index in renditions.indices {
            let changes = events.filter { event in
                ["filler", "gap", "media"].contains(event.kind) && event.slot != nil
                    && event.concerns(renditions[index].name)
            }
            for slot in renditions[index].slots.indices where renditions[index].slots[slot].kind == .media {
                let number = renditions[index].slots[slot].number
                let latest = changes.last { $0.slot.map { $0 <= number } ?? false }
                if latest?.kind == "filler" { renditions[index].slots[slot].kind = .filler }
            }
        }
    }
}
