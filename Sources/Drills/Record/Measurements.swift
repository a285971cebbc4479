/// A record in numbers.
struct Measurements: Hashable, Codable, Sendable {
    /// The values of metrics, in their units; those that could not be measured are missing.
    private(set) var values: [Metric: Double] = [:]
    /// The outcome of each fault, in the order of their starts.
    private(set) var faults: [FaultOutcome] = []

    /// - Parameter record: Whatever happened before zero does not count.
    init(of record: DrillRecord) {
        // Nothing is known of a drill that did not take place.
        guard record.span.length > 0 else { return }
        let limits = Span(0, record.span.end)
        let gaps = record.renditions.map { ($0.isVideo, $0.length(of: .gap, within: limits)) }
        set(.gap, gaps.map(\.1).max(), per: 1000)
        set(.videoGap, gaps.filter(\.0).map(\.1).max(), per: 1000)
        set(.audioGap, gaps.filter { !$0.0 }.map(\.1).max(), per: 1000)
        if record.hasEvents {
            set(.filler, record.renditions.map { $0.length(of: .filler, within: limits) }.max(), per: 1000)
            set(.switches, record.switches)
        }
        set(
            .discontinuities,
            record.renditions.map { $0.slots.count { $0.isDiscontinuity && $0.listed >= 0 } }.max()
        )
        set(.stall, record.stall(within: limits), per: 1000)
        if record.targetDuration > 0 {
            let oldest = record.ages.lazy.filter { $0.time >= 0 }.map(\.age).max()
            set(.playlistAge, oldest, per: record.targetDuration * 1000)
        }
        set(.jump, record.player.jumps.lazy.filter { $0.time >= 0 }.map(\.length).reduce(0, +), per: 1000)
        set(.violations, record.violations.count)
        set(.differences, record.differences?.count)
        set(.sequenceReuse, record.reuses.count)
        set(.failedRequests, record.audience?.failures.count { $0.time ?? 0 >= 0 })
        let ranges = record.ranges.filter { $0.start >= 0 }
        set(.ranges, ranges.count)
        set(.openRanges, ranges.count { $0.end == nil })
        set(.spliceDistance, record.spliceDistance(of: ranges))

        faults = FaultOutcome.all(in: record)
        // A sign after another fault has begun counts for that one, and some faults have none.
        set(.detection, faults.compactMap(\.detection).max())
        // Of several faults the one with the longest recovery counts, and one without recovery before all.
        let recoveries = faults.filter(\.isOver).map(\.recovery)
        if !recoveries.contains(nil) { set(.recovery, recoveries.compactMap(\.self).max(), per: 1000) }
    }

    subscript(metric: Metric) -> Double? { values[metric] }

    private mutating func set(_ metric: Metric, _ value: Int?, per divisor: Int = 1) {
        if let value { values[metric] = Double(value) / Double(divisor) }
    }
}

extension Measurements {
    /// Reads an object of numbers with the metrics' names.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        faults = try container.decode([FaultOutcome].self, forKey: .faults)
        let named = try container.decode([String: Double].self, forKey: .values)
        for (name, value) in named {
            if let metric = Metric(rawValue: name) { values[metric] = value }
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(faults, forKey: .faults)
        let named = values.map { ($0.key.rawValue, $0.value) }
        try container.encode(Dictionary(uniqueKeysWithValues: named), forKey: .values)
    }

    private enum Key: CodingKey {
        case values, faults
    }
}

extension DrillRecord.Rendition {
    /// The milliseconds of its timeline that are of a kind.
    fileprivate func length(of kind: DrillRecord.Slot.Kind, within limits: Span) -> Int {
        Span.union(slots.filter { $0.kind == kind }.map { $0.span.clamped(to: limits) })
    }
}

extension DrillRecord {
    /// The longest distance of a break's start or end from the start of a video segment; nil if there is none.
    fileprivate func spliceDistance(of ranges: [Range]) -> Int? {
        let boundaries = renditions.filter(\.isVideo).flatMap { $0.slots.map(\.span.start) }
        return ranges.flatMap { [$0.start, $0.end].compactMap(\.self) }
            .compactMap { splice in boundaries.map { abs($0 - splice) }.min() }.max()
    }

    /// The time that the viewer waited; a player that had time to begin before zero and has not, waits.
    fileprivate func stall(within limits: Span) -> Int {
        let first = span.start < limits.start ? limits.start : player.started ?? limits.end
        let start = Span(first, player.started ?? limits.end)
        return Span.union((player.stalls + [start]).map { $0.clamped(to: limits) })
    }

    /// The most switches of any rendition: to a viewer, those of several at once are one.
    fileprivate var switches: Int {
        let switched = events.filter { $0.kind == "switched" && $0.time >= 0 }
        let told = switched.flatMap { event in
            (event.renditions.isEmpty ? [""] : event.renditions).map { [event.source, $0] }
        }
        return Dictionary(grouping: told, by: \.self).values.map(\.count).max() ?? 0
    }
}
