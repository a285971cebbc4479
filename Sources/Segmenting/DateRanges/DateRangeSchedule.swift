import MediaCore
import Operations
import Playlists

/// Ranges that people or programs have scheduled, and those announced to players.
///
/// The tags of a slot follow from the actions that are effective before its end and from the tags before: each tag has
/// the scheduled attributes that were not announced yet. So an earlier run, or a peer, can be continued from.
struct DateRangeSchedule: Sendable {
    /// The actions, in order.
    private var actions: [ScheduleAction] = []
    /// All attributes announced to players, by range ID.
    private var published: [String: DateRange] = [:]

    /// A range that was scheduled.
    struct Wanted: Hashable, Sendable {
        var range: DateRange
        /// The time from which it is announced to players, in UTC.
        var announcement: MediaTime
    }

    mutating func received(_ action: ScheduleAction) {
        if case .dateRange(let range, _) = action.content { forget(range.id, before: action) }
        actions.append(action)
        actions.sort()
    }

    /// Continues with the tags of an earlier run, or of a peer.
    mutating func restore(_ tags: [DateRange]) {
        for range in tags.merged where !range.isOfSplice { published[range.id] = range }
    }

    /// Returns all announced ranges, and those scheduled for a point in time, by ID.
    ///
    /// The first of two that contradict each other holds: the packagers that accepted them did not know of each other.
    ///
    /// - Parameter end: The time at which a slot ends, in UTC; nil for all that is known.
    /// - Returns: The ranges, each with all its attributes.
    private func wanted(by end: MediaTime?) -> [String: Wanted] {
        var wanted = published.mapValues { Wanted(range: $0, announcement: .zero) }
        for action in actions where end.map({ action.effective < $0 }) ?? true {
            switch action.content {
            case .dateRange(let range, let announcement):
                wanted[range.id] = wanted[range.id] ?? Wanted(range: range, announcement: announcement)
            case .update(let update):
                guard let range = wanted[update.id]?.range, !range.isAltered(by: update) else { continue }
                wanted[update.id]?.range.add(update)
            case .withdrawal(let id, _):
                if published[id] == nil { wanted[id] = nil }
            case .cues, .splice, .metadata: continue
            }
        }
        return wanted
    }

    /// All known ranges, in order of their dates: the ranges announced to players, and the planned ones.
    var ranges: (published: [DateRange], planned: [Wanted]) {
        let all = wanted(by: nil).values.sorted { $0.range.isBefore($1.range) }
        return (all.filter { published[$0.range.id] != nil }.map(\.range), all.filter { published[$0.range.id] == nil })
    }

    /// All known ranges, each with all its attributes.
    var known: [DateRange] { ranges.published + ranges.planned.map(\.range) }

    /// Returns the tags that a final slot brings.
    mutating func announce(_ slot: SlotReach) -> DateRangeLines {
        if actions.isEmpty { return DateRangeLines() }
        var lines = DateRangeLines()
        let wanted = wanted(by: slot.end)
        let ranges = wanted.values.map(\.range)
        for want in wanted.values.sorted(by: { $0.range.isBefore($1.range) }) {
            guard let tag = tag(of: want, among: ranges, slot) else { continue }
            published[tag.id, default: tag].add(tag)
            if tag.start.map({ $0 < slot.end }) ?? true { lines.above.append(tag) } else { lines.below.append(tag) }
        }
        forget(at: slot.start)
        return lines
    }

    private func tag(of wanted: Wanted, among ranges: [DateRange], _ slot: SlotReach) -> DateRange? {
        if let published = published[wanted.range.id] { return wanted.range.rest(after: published) }
        // A range that is over was announced before this run, or never will be.
        let end = ranges.end(of: wanted.range.id)
        return wanted.announcement < slot.nextEnd && end.map { $0 > slot.start } ?? true ? wanted.range : nil
    }

    /// Forgets a range that has left the playlists when a client gives its ID to a new one: the two must not share
    /// attributes.
    private mutating func forget(_ id: String, before action: ScheduleAction) {
        guard published[id] != nil, Array(published.values).end(of: id).map({ $0 <= action.effective }) ?? false else {
            return
        }
        published[id] = nil
        actions.removeAll { $0.content.rangeID == id && $0 < action }
    }

    private mutating func forget(at time: MediaTime) {
        actions.removeAll { $0.isOver(at: time) }
        guard published.count > Self.most else { return }
        let ranges = Array(published.values)
        published = published.filter { id, _ in ranges.end(of: id).map { $0 > time } ?? true }
    }

    /// The number of ranges beyond which past ones are forgotten; until then their names cannot be reused.
    private static let most = 1_000
}

extension ScheduleAction.Content {
    /// The ID of the range that it concerns; nil if it concerns none.
    fileprivate var rangeID: String? {
        switch self {
        case .dateRange(let range, _), .update(let range): range.id
        case .withdrawal(let id, _): id
        case .cues, .splice, .metadata: nil
        }
    }
}

extension DateRange {
    fileprivate func isBefore(_ other: DateRange) -> Bool {
        (start ?? .zero, id) < (other.start ?? .zero, other.id)
    }
}
