/// The outcome of a fault: who noticed it when, and how long after its end media was back.
struct FaultOutcome: Hashable, Codable, Sendable {
    var part: String
    var fault: DrillRecord.Fault
    /// Milliseconds from its start to the first sign; nil if it was not noticed.
    var detection: Int?
    /// The first sign of it.
    var sign: String?
    /// Milliseconds from its end to the first segment with media after the last without; nil: there was none.
    ///
    /// A stream that lists no media any more has not recovered, even if it lists no gap.
    var recovery: Int?

    /// True if there is an end to recover from.
    var isOver: Bool { fault.isInstant || fault.end != nil }

    /// Kinds of events that say that something is wrong.
    private static let signs: Set<String> = [
        "input-lost", "input-ended", "input-health", "switched", "gap", "filler", "discontinuity", "journal",
        "endpoint",
        "request-failed", "stall",
    ]

    /// Returns an outcome for each fault of a record, in the order of their starts.
    static func all(in record: DrillRecord) -> [FaultOutcome] {
        let faults = record.parts.flatMap { part in part.faults.map { (part.name, $0) } }.sorted {
            $0.1.start < $1.1.start
        }
        return faults.indices.map { index in
            // The next fault is held responsible for everything after it.
            let next = faults[index...].first { $0.1.start > faults[index].1.start }?.1.start ?? Int.max
            return FaultOutcome(part: faults[index].0, fault: faults[index].1, next: next, record: record)
        }
    }

    private init(part: String, fault: DrillRecord.Fault, next: Int, record: DrillRecord) {
        self.part = part
        self.fault = fault
        let window = fault.start..<next
        let events = record.events.filter { Self.signs.contains($0.kind) && window.contains($0.time) }
            .map { (time: $0.time, text: $0.kind) }
        let gaps = record.renditions.flatMap { rendition in
            rendition.slots.filter { $0.kind == .gap && window.contains($0.listed) }
                .map { (time: $0.listed, text: "gap in \(rendition.name)") }
        }
        if let first = (events + gaps).min(by: { $0.time < $1.time }) {
            detection = first.time - fault.start
            sign = first.text
        }
        if let end = fault.end ?? (fault.isInstant ? fault.start : nil), record.continues(after: end) {
            recovery = record.renditions.reduce(0) { longest, rendition in
                guard let longest else { return nil }
                guard let last = rendition.lastWithoutMedia(listed: window) else { return longest }
                let back = rendition.slots.first { $0.kind == .media && $0.number > last.number }
                return back.map { max(longest, $0.listed - end) }
            }
        }
    }
}

extension DrillRecord {
    /// Returns true if video, and everything else that there is, has listed media since a time.
    fileprivate func continues(after time: Int) -> Bool {
        // A rendition may have been replaced by another one.
        Dictionary(grouping: renditions, by: \.isVideo).values.allSatisfy { alike in
            alike.contains { $0.slots.contains { $0.kind == .media && $0.listed > time } }
        }
    }
}

extension DrillRecord.Rendition {
    /// The last gap or filler that was listed at a time.
    fileprivate func lastWithoutMedia(listed window: Range<Int>) -> DrillRecord.Slot? {
        slots.last { $0.kind != .media && window.contains($0.listed) }
    }
}
