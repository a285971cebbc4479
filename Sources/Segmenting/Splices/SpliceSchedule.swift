import MediaCore
import Playlists
import SCTE35

/// What a programme's sections say, as date ranges that players are told of (RFC 8216bis § 4.4.5.1.1).
///
/// Each range is told with the segment before the one that it begins with or in, which is the last moment at which the
/// RFC has it told, and the first at which that segment's first sample is known. What an input says again, or another
/// input says, too, is the same event.
struct SpliceSchedule: Sendable {
    private var breaks: [SpliceBreak] = []
    private var commands: [Command] = []
    /// What was told of commands lately, or will be.
    private var heard: [Heard] = []

    private struct Command: Sendable {
        let name: String
        var time: MediaTime
        let bytes: [UInt8]
        var id: String { "\(name)-\(time.compact(withMilliseconds: true))" }
    }

    private struct Heard: Hashable, Sendable {
        let cue: SpliceCue
        /// Of what has no time of its own; a remultiplexer writes times anew.
        let content: SpliceInfoSection.Content?

        init(_ cue: SpliceCue, _ message: SpliceMessage) {
            self.cue = cue
            content = cue.timestamp == nil ? message.section.content : nil
        }
    }

    /// A splice with no time of its own is sent again for as long, at most.
    private static let repetition = MediaTime(seconds: 60)
    /// What is over is known for as long, for it may be told of again.
    private static let memory = MediaTime(seconds: 600)
    /// More than any programme has; beyond it the oldest go.
    private static let most = 256

    /// A cue came.
    ///
    /// - Parameters:
    ///   - cue: One of its section's.
    ///   - message: The section.
    ///   - time: When it happens in UTC, or when it came where it says nothing of that.
    ///   - input: Whose it is: only who has told of a splice may say that it is another time's.
    /// - Returns: Splices that are new: segments are to begin with them.
    mutating func received(
        _ cue: SpliceCue,
        _ message: SpliceMessage,
        at time: MediaTime,
        from input: InputID
    ) -> [MediaTime] {
        switch (cue.role, cue.event) {
        case (.out, _?):
            guard let new = SpliceBreak(cue, message, at: time, from: input) else { return [] }
            return begin(new, isTimed: cue.timestamp != nil)
        case (.back, let event?):
            guard let index = breaks.lastIndex(where: { $0.event == event && $0.start <= time }) else {
                return command(cue, message, at: time)
            }
            return end(index, SpliceBreak.End(time: time, section: message.bytes))
        case (.cancel, let event?):
            for index in breaks.indices.reversed() where breaks[index].event.id == event.id {
                guard (breaks[index].event.type == nil) == (event.type == nil) else { continue }
                cancel(index, at: time)
            }
            return []
        case (.command, _), (_, nil):
            return command(cue, message, at: time)
        }
    }

    /// Somebody says again what an earlier run has told, and what is over by now.
    mutating func claim(_ cue: SpliceCue, _ message: SpliceMessage, at time: MediaTime, from input: InputID) {
        guard let said = SpliceBreak(cue, message, at: time, from: input),
            let index = breaks.lastIndex(where: { $0.matches(said.event, at: time) })
        else { return }
        breaks[index].claim(by: said)
    }

    private mutating func begin(_ new: SpliceBreak, isTimed: Bool) -> [MediaTime] {
        let known = breaks.lastIndex { old in
            if old.matches(new.event, at: new.start) { return true }
            // A splice without a time is said several times; another input says it with its own delay.
            return old.event == new.event && (isTimed ? old.input != new.input : !old.isOver(at: new.start))
                && abs((old.start - new.start).ticks) <= Self.repetition.ticks
        }
        if let known { return again(new, known) }
        // One that was put off before anybody was told of it.
        breaks.removeAll { old in
            old.event == new.event && old.input == new.input && old.told == nil
                && old.end.map { $0.time > new.start } ?? true
        }
        // The same event anew: the one before is over by then.
        for index in breaks.indices where breaks[index].event == new.event && breaks[index].end == nil {
            breaks[index].end = SpliceBreak.End(time: max(new.start, breaks[index].start))
        }
        if breaks.count == Self.most { breaks.removeFirst() }
        breaks.append(new)
        return new.boundaries
    }

    /// Who has told of a break may say more of it: all, before players are told, and then when it ends.
    private mutating func again(_ new: SpliceBreak, _ known: Int) -> [MediaTime] {
        breaks[known].claim(by: new)
        let old = breaks[known]
        guard old.input == new.input, !old.isEndTold else { return [] }
        if old.told == nil {
            breaks[known] = new
        } else if old.end?.isAssumed ?? true, let end = new.end {
            breaks[known].end = end
        }
        return breaks[known].boundaries == old.boundaries ? [] : new.boundaries
    }

    private mutating func end(_ index: Int, _ end: SpliceBreak.End) -> [MediaTime] {
        guard !breaks[index].isEndTold else { return [] }
        let before = breaks[index].end
        let isKnown = before.map { breaks[index].isNear($0.time, end.time) } ?? false
        // What others say of it later is the same.
        if !isKnown || before?.isAssumed == true { breaks[index].end = end }
        return isKnown ? [] : [end.time]
    }

    /// What nobody was told of never was; of what was told it can only be said that it is over (§ 4.4.5.1.1).
    private mutating func cancel(_ index: Int, at time: MediaTime) {
        if breaks[index].told == nil {
            breaks.remove(at: index)
        } else if !breaks[index].isEndTold {
            breaks[index].end = SpliceBreak.End(time: max(time, breaks[index].start))
        }
    }

    private mutating func command(_ cue: SpliceCue, _ message: SpliceMessage, at time: MediaTime) -> [MediaTime] {
        let new = Heard(cue, message)
        guard !heard.contains(new) else { return [] }
        remember(new)
        if commands.count == Self.most { commands.removeFirst() }
        var command = Command(name: cue.name, time: time.wholeMilliseconds, bytes: message.bytes)
        while commands.contains(where: { $0.id == command.id }) { command.time += MediaTime(milliseconds: 1) }
        commands.append(command)
        return []
    }

    private mutating func remember(_ new: Heard) {
        if heard.count == Self.most { heard.removeFirst() }
        heard.append(new)
    }
}

// MARK: - Telling

extension SpliceSchedule {
    /// A slot is final: what begins in it, with the next or in the next is told with it.
    mutating func tell(_ slot: SlotReach) -> DateRangeLines {
        if breaks.isEmpty, commands.isEmpty { return DateRangeLines() }
        var tags: [(time: MediaTime, isBelow: Bool, tag: DateRange)] = []
        for index in breaks.indices {
            if breaks[index].told == nil, let place = slot.place(breaks[index].start) {
                tags.append((place.time, place.isBelow, breaks[index].tellStart(at: place.time)))
            }
            guard let end = breaks[index].dueEnd(by: slot.nextEnd), let place = slot.place(end.time) else { continue }
            if let tag = breaks[index].tellEnd(at: place.time) { tags.append((place.time, place.isBelow, tag)) }
        }
        commands.removeAll { command in
            guard let place = slot.place(command.time) else { return false }
            var tag = DateRange(id: command.id, start: command.time, duration: .zero)
            tag.spliceCommand = command.bytes
            tags.append((place.time, place.isBelow, tag))
            return true
        }
        breaks.removeAll { $0.isOver(at: slot.start - Self.memory) }
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

    /// Goes on with what an earlier run, or a peer, has told.
    ///
    /// - Returns: Splices that are still to come: segments are to begin with them.
    mutating func restore(_ tags: [DateRange]) -> [MediaTime] {
        for tag in tags {
            guard let bytes = tag.spliceOut ?? tag.spliceCommand, let start = tag.start,
                let message = try? SpliceMessage(reading: bytes.span.bytes),
                let cue = message.section.cues.first(where: { tag.id.hasPrefix("\($0.name)-") })
            else { continue }
            if tag.spliceOut == nil {
                remember(Heard(cue, message))
                commands.removeAll { $0.id == tag.id }
            } else {
                var index = breaks.lastIndex { $0.matches(cue.event, at: start) }
                if index == nil, let new = SpliceBreak(cue, message, at: start, from: .input(0)) {
                    // In order: a way back is from the latest of its event.
                    let place = breaks.firstIndex { $0.start > start } ?? breaks.endIndex
                    breaks.insert(new, at: place)
                    index = place
                }
                guard let index else { continue }
                breaks[index].restore(tag)
                guard let end = tags.first(where: { $0.id == tag.id && $0.isEnd })?.duration else { continue }
                breaks[index].end = SpliceBreak.End(time: start + end)
                breaks[index].isEndTold = true
            }
        }
        return breaks.filter { !$0.isEndTold }.compactMap(\.end?.time)
    }
}

extension SlotReach {
    /// What a slot's first sample may lie from its splice: two frames, and what UTC is slewed meanwhile.
    private static let near = MediaTime(milliseconds: 80)

    /// Where what happens at a time is told: to the sample where a segment begins with it.
    ///
    /// - Returns: Nil where it is for a later slot to tell.
    fileprivate func place(_ time: MediaTime) -> (time: MediaTime, isBelow: Bool)? {
        guard time < nextEnd else { return nil }
        let isSplice = splice.map { abs(($0 - time).ticks) <= Self.near.ticks } ?? false
        let boundary = [end, start].first { abs(($0 - time).ticks) <= Self.near.ticks }
        return (boundary ?? time, isSplice || (boundary ?? time) >= end)
    }
}

extension DateRange {
    /// Whether it says that a break is over.
    fileprivate var isEnd: Bool { spliceCommand == nil && duration != nil }
}
