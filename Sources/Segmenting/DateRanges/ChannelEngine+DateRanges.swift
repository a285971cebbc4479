import MediaCore
import Operations
package import Playlists
import Timeline

/// Ranges that people or programs want told.
extension ChannelEngine {
    /// Ranges that begin later are not kept.
    private static let furthestRange = MediaTime(seconds: 86_400)
    /// So many that are not over are listed and planned at most: each is in every playlist.
    private static let mostRanges = 256

    /// With all that is wanted told of them: those that players have been told of, listed or no longer, and those that
    /// are still to come.
    package var scheduledRanges: (told: [DateRange], planned: [DateRange]) {
        let ranges = programme.dateRanges.ranges
        return (ranges.told, ranges.planned.map(\.range))
    }

    /// Looks at a range that somebody wants told.
    ///
    /// - Parameters:
    ///   - range: All of it.
    ///   - announcement: UTC from which it is to be told of.
    ///   - effective: UTC up to which slots are without it.
    ///   - ranges: What there is.
    /// - Returns: The slot that it is told with, or what is wrong with it.
    func reviewed(
        _ range: DateRange,
        announcedAt announcement: MediaTime,
        from effective: MediaTime,
        _ ranges: DateRangeSchedule
    ) -> ScheduleOutcome {
        let known = ranges.known
        guard let start = range.start else { return .refused(.brokenRange("its first tag has no START-DATE")) }
        if known.contains(where: { $0.id == range.id }) { return .refused(.rangeExists(range.id)) }
        if start > now + Self.furthestRange { return .refused(.tooEarly(limit: Self.furthestRange)) }
        let next = firstUndecided(after: effective)
        if let end = [range].end(of: range.id), end <= next { return .refused(.over(before: next)) }
        let alive = known.count { other in known.end(of: other.id).map { $0 > next } ?? true }
        if alive >= Self.mostRanges { return .refused(.tooMany) }
        if let problem = newProblem(with: range, among: known) { return .refused(.brokenRange(problem)) }
        if let name = range.className, isBetween(start, name, ranges.ranges.told) {
            return .refused(
                .brokenRange("players know already which range of its CLASS follows the one with END-ON-NEXT before it")
            )
        }
        return .slot(slotTelling(from: announcement, after: effective), at: start)
    }

    /// Looks at what somebody wants told of a range besides.
    ///
    /// - Returns: What is to be done, and what becomes of it.
    func reviewed(
        update: DateRange,
        from effective: MediaTime,
        _ ranges: DateRangeSchedule
    ) -> (content: ScheduleAction.Content?, outcome: ScheduleOutcome) {
        let known = ranges.known
        guard let range = known.first(where: { $0.id == update.id }) else {
            return (nil, .refused(.noRange(update.id)))
        }
        if range.isOfSplice { return (nil, .refused(.rangeOfSplice)) }
        let next = firstUndecided(after: effective)
        if let end = known.end(of: range.id), end <= next { return (nil, .refused(.rangeIsOver(end))) }
        if range.isAltered(by: update) { return (nil, .refused(.alteredRange(range.attributesAltered(by: update)))) }
        guard let news = update.rest(after: range) else { return (nil, .refused(.nothingNew)) }
        if let end = news.end, end < next { return (nil, .refused(.over(before: next))) }
        var whole = range
        whole.add(news)
        if let problem = newProblem(with: whole, among: known.filter { $0.id != range.id }) {
            return (nil, .refused(.brokenRange(problem)))
        }
        let announcement = ranges.ranges.planned.first { $0.range.id == range.id }?.announcement ?? .zero
        return (.update(news), .slot(slotTelling(from: announcement, after: effective), at: range.start ?? effective))
    }

    /// What becomes of a range that somebody wants gone: what nobody was told of never was, what players know ends.
    ///
    /// - Returns: What is to be done, and what becomes of it.
    func reviewed(
        removalOf id: String,
        from effective: MediaTime,
        _ ranges: DateRangeSchedule
    ) -> (content: ScheduleAction.Content?, outcome: ScheduleOutcome) {
        if let wanted = ranges.ranges.planned.first(where: { $0.range.id == id }) {
            // The slots before those that it may be told with are decided on by then, here and at the peer.
            let isUntold =
                firstUndecided(after: effective) < wanted.announcement - configuration.grid.longestSegment * 2
            if isUntold || configuration.scheduleLead == .zero {
                return (.withdrawal(id: id, start: wanted.range.start ?? effective), .withdrawn)
            }
        }
        guard let range = ranges.known.first(where: { $0.id == id }), let start = range.start else {
            return (nil, .refused(.noRange(id)))
        }
        if range.isOfSplice { return (nil, .refused(.rangeOfSplice)) }
        if range.endsOnNext { return (nil, .refused(.endsOnNext)) }
        if let end = [range].end(of: id) { return (nil, .refused(.endIsTold(end))) }
        var update = DateRange(id: id, start: start)
        let end = max(firstUndecided(after: effective), start).wholeMilliseconds
        update.end = end
        return (.update(update), .slot(slotTelling(from: .zero, after: effective), at: end))
    }

    /// What would be wrong that is not wrong without it.
    private func newProblem(with range: DateRange, among known: [DateRange]) -> String? {
        let before = Set(known.problems)
        return (known + [range]).problems.first { !before.contains($0) }?.reason.description
    }

    /// Whether a range with END-ON-NEXT begins before it, and players have been told of the one that follows that: none
    /// is added in between (§ 4.4.5.1).
    private func isBetween(_ start: MediaTime, _ name: String, _ told: [DateRange]) -> Bool {
        let starts = told.filter { $0.className == name }.compactMap { range in
            range.start.map { (time: $0, endsOnNext: range.endsOnNext) }
        }
        guard let open = starts.filter({ $0.endsOnNext && $0.time <= start }).map(\.time).max() else { return false }
        return starts.contains { $0.time > open && start < $0.time }
    }

    /// UTC from which nothing is decided on, and before which nothing is to be told.
    func firstUndecided(after effective: MediaTime) -> MediaTime {
        max(effective, segmenter.leaderEnd?.utc ?? effective)
    }

    /// The slot that something is told with.
    private func slotTelling(from announcement: MediaTime, after effective: MediaTime) -> MediaSequenceNumber {
        let plan = segmenter.plan
        return max(plan.slot(at: firstUndecided(after: effective)), plan.slot(at: announcement).previous)
    }
}
