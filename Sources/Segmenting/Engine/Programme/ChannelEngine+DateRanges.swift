import MediaCore
import Operations
package import Playlists
import Timeline

/// Date ranges that people or programs have scheduled.
extension ChannelEngine {
    /// The longest time ahead at which a range may begin; later ones are refused.
    private static let furthestRange = MediaTime(seconds: 86_400)
    /// The most ranges that are listed or planned and not over: each is in every playlist.
    private static let mostRanges = 256

    /// All ranges with all their attributes: the ranges announced to players, still listed or not, and the planned
    /// ones.
    package var scheduledRanges: (published: [DateRange], planned: [DateRange]) {
        let ranges = programme.dateRanges.ranges
        return (ranges.published, ranges.planned.map(\.range))
    }

    /// Checks a range that was scheduled.
    ///
    /// - Parameters:
    ///   - range: The whole range.
    ///   - announcement: The time from which it is announced to players, in UTC.
    ///   - effective: The time up to which slots are without it, in UTC.
    ///   - ranges: The present ranges.
    /// - Returns: The slot that brings it, or the reason for refusing it.
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
        if let name = range.className, isBetween(start, name, ranges.ranges.published) {
            return .refused(
                .brokenRange("players know already which range of its CLASS follows the one with END-ON-NEXT before it")
            )
        }
        return .slot(announcingSlot(from: announcement, after: effective), at: start)
    }

    /// Checks more attributes that were scheduled for a range.
    ///
    /// - Returns: The change to make, and the outcome.
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
        return (
            .update(news), .slot(announcingSlot(from: announcement, after: effective), at: range.start ?? effective)
        )
    }

    /// Checks the removal of a range: one that was not announced is dropped, an announced one ends.
    ///
    /// - Returns: The change to make, and the outcome.
    func reviewed(
        removalOf id: String,
        from effective: MediaTime,
        _ ranges: DateRangeSchedule
    ) -> (content: ScheduleAction.Content?, outcome: ScheduleOutcome) {
        if let wanted = ranges.ranges.planned.first(where: { $0.range.id == id }) {
            // The slots before the first that may announce it are then decided, here and at the peer.
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
        if let end = [range].end(of: id) { return (nil, .refused(.endIsAnnounced(end))) }
        var update = DateRange(id: id, start: start)
        let end = max(firstUndecided(after: effective), start).wholeMilliseconds
        update.end = end
        return (.update(update), .slot(announcingSlot(from: .zero, after: effective), at: end))
    }

    /// Returns the first problem that only this range causes.
    private func newProblem(with range: DateRange, among known: [DateRange]) -> String? {
        let before = Set(known.problems)
        return (known + [range]).problems.first { !before.contains($0) }?.reason.description
    }

    /// Returns true if a range would lie between one with END-ON-NEXT and the announced range that ends it.
    ///
    /// No range may be added in between (RFC 8216bis § 4.4.5.1).
    private func isBetween(_ start: MediaTime, _ name: String, _ published: [DateRange]) -> Bool {
        let starts = published.filter { $0.className == name }.compactMap { range in
            range.start.map { (time: $0, endsOnNext: range.endsOnNext) }
        }
        guard let open = starts.filter({ $0.endsOnNext && $0.time <= start }).map(\.time).max() else { return false }
        return starts.contains { $0.time > open && start < $0.time }
    }

    /// Returns the time, in UTC, at which the undecided slots begin; new ranges may only be announced from it on.
    func firstUndecided(after effective: MediaTime) -> MediaTime {
        max(effective, segmenter.leaderEnd?.utc ?? effective)
    }

    /// Returns the slot that brings a change.
    private func announcingSlot(from announcement: MediaTime, after effective: MediaTime) -> MediaSequenceNumber {
        let plan = segmenter.plan
        return max(plan.slot(at: firstUndecided(after: effective)), plan.slot(at: announcement).previous)
    }
}
