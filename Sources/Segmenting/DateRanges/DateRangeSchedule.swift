import MediaCore
import Operations
import Playlists

/// Ranges that people or programs want told, and what players have been told of them.
///
/// What is told with a slot follows from the actions that are effective before its end and from what was told before:
/// each tag says what is wanted and was not said. So whoever goes on from an earlier run, or from a peer, goes on telling.
struct DateRangeSchedule: Sendable {
    /// In order.
    private var actions: [ScheduleAction] = []
    /// By ID, all that was said.
    private var told: [String: DateRange] = [:]

    /// A range that somebody wants told.
    struct Wanted: Hashable, Sendable {
        var range: DateRange
        /// UTC from which it is told of.
        var announcement: MediaTime
    }

    mutating func received(_ action: ScheduleAction) {
        if case .dateRange(let range, _) = action.content { forget(range.id, before: action) }
        actions.append(action)
        actions.sort()
    }

    /// Goes on with what an earlier run, or a peer, has told.
    mutating func restore(_ tags: [DateRange]) {
        for range in tags.merged where !range.isOfSplice { told[range.id] = range }
    }

    /// All that was told, and what is wanted by a point in time, by ID.
    ///
    /// Of two that contradict each other the first holds: those who have accepted them did not know of each other.
    ///
    /// - Parameter end: UTC at which a slot ends; nil for all that is known.
    /// - Returns: Of each, all that is said of it.
    private func wanted(by end: MediaTime?) -> [String: Wanted] {
        var wanted = told.mapValues { Wanted(range: $0, announcement: .zero) }
        for action in actions where end.map({ action.effective < $0 }) ?? true {
            switch action.content {
            case .dateRange(let range, let announcement):
                wanted[range.id] = wanted[range.id] ?? Wanted(range: range, announcement: announcement)
            case .update(let update):
                guard let range = wanted[update.id]?.range, !range.isAltered(by: update) else { continue }
                wanted[update.id]?.range.add(update)
            case .withdrawal(let id, _):
                if told[id] == nil { wanted[id] = nil }
            case .cues, .splice, .metadata: continue
            }
        }
        return wanted
    }

    /// All that is known, in order of their dates; those that players have been told of and those that are still to come.
    var ranges: (told: [DateRange], planned: [Wanted]) {
        let all = wanted(by: nil).values.sorted { $0.range.isBefore($1.range) }
        return (all.filter { told[$0.range.id] != nil }.map(\.range), all.filter { told[$0.range.id] == nil })
    }

    /// Each with all that is wanted told of it.
    var known: [DateRange] { ranges.told + ranges.planned.map(\.range) }

    /// A slot is final: what is due is told with it.
    mutating func tell(_ slot: SlotReach) -> DateRangeLines {
        if actions.isEmpty { return DateRangeLines() }
        var lines = DateRangeLines()
        let wanted = wanted(by: slot.end)
        let ranges = wanted.values.map(\.range)
        for want in wanted.values.sorted(by: { $0.range.isBefore($1.range) }) {
            guard let tag = tag(of: want, among: ranges, slot) else { continue }
            told[tag.id, default: tag].add(tag)
            if tag.start.map({ $0 < slot.end }) ?? true { lines.above.append(tag) } else { lines.below.append(tag) }
        }
        forget(at: slot.start)
        return lines
    }

    private func tag(of wanted: Wanted, among ranges: [DateRange], _ slot: SlotReach) -> DateRange? {
        if let told = told[wanted.range.id] { return wanted.range.rest(after: told) }
        // What is over was told before this run, or never will be.
        let end = ranges.end(of: wanted.range.id)
        return wanted.announcement < slot.nextEnd && end.map { $0 > slot.start } ?? true ? wanted.range : nil
    }

    /// An ID is given to another range by somebody who has begun since and does not know of the one before, which has left
    /// the playlists: what was said of that is not said of the other.
    private mutating func forget(_ id: String, before action: ScheduleAction) {
        guard told[id] != nil, Array(told.values).end(of: id).map({ $0 <= action.effective }) ?? false else { return }
        told[id] = nil
        actions.removeAll { $0.content.rangeID == id && $0 < action }
    }

    private mutating func forget(at time: MediaTime) {
        actions.removeAll { $0.isOver(at: time) }
        guard told.count > Self.most else { return }
        let ranges = Array(told.values)
        told = told.filter { id, _ in ranges.end(of: id).map { $0 > time } ?? true }
    }

    /// Of ranges that are over so many are known: their names are not to be given to others while they are listed.
    private static let most = 1_000
}

extension ScheduleAction.Content {
    /// The range that it is about; nil where it is about none.
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
