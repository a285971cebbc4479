import MediaCore
import Playlists

extension SpliceSchedule {
    /// The time for which breaks and commands that are over are remembered, since they may be sent again.
    private static let memory = MediaTime(seconds: 600)
    /// The most commands that are remembered after their announcement: all of them are saved with each slot.
    private static let mostAnnounced = 64

    /// Returns the tags of a final slot: those of its events, and of events with or in the next slot.
    mutating func announce(_ slot: SlotReach) -> DateRangeLines {
        unsignalledEnds = []
        if breaks.isEmpty, commands.isEmpty { return DateRangeLines() }
        breaks.removeAll { $0.announcedStart == nil && $0.cancelled.map { $0 < slot.end } ?? false }
        var tags: [(time: MediaTime, isBelow: Bool, tag: DateRange)] = []
        for index in breaks.indices where breaks[index].heard < slot.end {
            if breaks[index].announcedStart == nil,
                let place = slot.place(breaks[index].start, isTimed: breaks[index].isTimed)
            {
                let known = breaks.compactMap(\.id)
                let tag = breaks[index].announceStart(at: place.time, besides: known)
                tags.append((place.time, place.isBelow, tag))
                breaks[index].endIfCancelled()
            }
            guard let end = breaks[index].dueEnd(by: slot.nextEnd), end.heard < slot.end,
                let place = slot.place(end.time)
            else { continue }
            let isSignalled = breaks[index].end != nil
            guard let tag = breaks[index].announceEnd(at: place.time) else { continue }
            tags.append((place.time, place.isBelow, tag))
            if !isSignalled { unsignalledEnds.append(tag) }
        }
        for index in commands.indices where !commands[index].isAnnounced && commands[index].heard < slot.end {
            guard let place = slot.place(commands[index].time) else { continue }
            tags.append((place.time, place.isBelow, commands[index].announce()))
        }
        breaks.removeAll { $0.isOver(at: slot.start - Self.memory) }
        forgetCommands(at: slot.start - Self.memory)
        // An end goes before a start at the same time, except of the same event.
        let ordered = tags.enumerated().sorted { a, b in
            if a.element.time != b.element.time { return a.element.time < b.element.time }
            let (isEnd, isOtherEnd) = (a.element.tag.isEnd, b.element.tag.isEnd)
            return a.element.tag.id != b.element.tag.id && isEnd != isOtherEnd ? isEnd : a.offset < b.offset
        }
        .map(\.element)
        return DateRangeLines(
            above: ordered.filter { !$0.isBelow }.map(\.tag),
            below: ordered.filter(\.isBelow).map(\.tag)
        )
    }

    private mutating func forgetCommands(at time: MediaTime) {
        var surplus = commands.count(where: \.isAnnounced) - Self.mostAnnounced
        commands.removeAll { command in
            guard command.isOver(at: time) || command.isAnnounced && surplus > 0 else { return false }
            surplus -= 1
            return true
        }
    }
}

extension SlotReach {
    /// The largest distance of a slot's first sample from its splice: two frames, and the slewing of UTC meanwhile.
    static let near = MediaTime(milliseconds: 80)

    /// Returns the announced time of an event: exact to the sample if a segment begins with it.
    ///
    /// - Parameters:
    ///   - time: The time of the event, in UTC.
    ///   - isTimed: True if segments were to begin with it; an event that begins on arrival does not affect them.
    /// - Returns: The time; nil if a later slot announces it.
    fileprivate func place(_ time: MediaTime, isTimed: Bool = true) -> (time: MediaTime, isBelow: Bool)? {
        guard time < nextEnd else { return nil }
        guard isTimed else { return (time, time >= end) }
        let isSplice = splice.map { abs(($0 - time).ticks) <= Self.near.ticks } ?? false
        let boundary = [end, start].first { abs(($0 - time).ticks) <= Self.near.ticks }
        return (boundary ?? time, isSplice || (boundary ?? time) >= end)
    }
}

extension DateRange {
    /// True if it is the end of a break.
    var isEnd: Bool { spliceCommand == nil && duration != nil }
}
