import MediaCore
import Playlists

extension SpliceSchedule {
    /// What is over is known for as long, for it may be told of again.
    private static let memory = MediaTime(seconds: 600)
    /// So many commands that were told are known at most, the latest: all of them are kept with each slot.
    private static let mostTold = 64

    /// A slot is final: what begins in it, with the next or in the next is told with it.
    mutating func tell(_ slot: SlotReach) -> DateRangeLines {
        if breaks.isEmpty, commands.isEmpty { return DateRangeLines() }
        breaks.removeAll { $0.told == nil && $0.cancelled.map { $0 < slot.end } ?? false }
        var tags: [(time: MediaTime, isBelow: Bool, tag: DateRange)] = []
        for index in breaks.indices where breaks[index].heard < slot.end {
            if breaks[index].told == nil, let place = slot.place(breaks[index].start, isTimed: breaks[index].isTimed) {
                tags.append((place.time, place.isBelow, breaks[index].tellStart(at: place.time)))
            }
            guard let end = breaks[index].dueEnd(by: slot.nextEnd), end.heard < slot.end,
                let place = slot.place(end.time)
            else { continue }
            if let tag = breaks[index].tellEnd(at: place.time) { tags.append((place.time, place.isBelow, tag)) }
        }
        for index in commands.indices where !commands[index].isTold && commands[index].heard < slot.end {
            guard let place = slot.place(commands[index].time) else { continue }
            tags.append((place.time, place.isBelow, commands[index].tell()))
        }
        breaks.removeAll { $0.isOver(at: slot.start - Self.memory) }
        forgetCommands(at: slot.start - Self.memory)
        // What ends goes before what begins at the same time, but for what is both.
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
        var surplus = commands.count(where: \.isTold) - Self.mostTold
        commands.removeAll { command in
            guard command.isOver(at: time) || command.isTold && surplus > 0 else { return false }
            surplus -= 1
            return true
        }
    }
}

extension SlotReach {
    /// What a slot's first sample may lie from its splice: two frames, and what UTC is slewed meanwhile.
    static let near = MediaTime(milliseconds: 80)

    /// Where what happens at a time is told: to the sample where a segment begins with it.
    ///
    /// - Parameters:
    ///   - time: UTC.
    ///   - isTimed: Whether segments were to begin with it; what begins when it is heard of has nothing to do with them.
    /// - Returns: Nil where it is for a later slot to tell.
    fileprivate func place(_ time: MediaTime, isTimed: Bool = true) -> (time: MediaTime, isBelow: Bool)? {
        guard time < nextEnd else { return nil }
        guard isTimed else { return (time, time >= end) }
        let isSplice = splice.map { abs(($0 - time).ticks) <= Self.near.ticks } ?? false
        let boundary = [end, start].first { abs(($0 - time).ticks) <= Self.near.ticks }
        return (boundary ?? time, isSplice || (boundary ?? time) >= end)
    }
}

extension DateRange {
    /// Whether it says that a break is over.
    var isEnd: Bool { spliceCommand == nil && duration != nil }
}
