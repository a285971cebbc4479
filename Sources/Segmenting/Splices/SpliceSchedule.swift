import MediaCore
import Playlists
import SCTE35
import Timeline

/// The sections of a programme as date ranges for players (RFC 8216bis § 4.4.5.1.1).
///
/// Each range is announced one segment before the one in which it begins. The RFC allows no later announcement, and
/// before it the first sample of that segment is unknown. Repetitions by an input, and copies of a message by other
/// inputs, are one event. A slot only announces messages that its feed had sent by the slot's end, so both members of a
/// pair announce the same, even if one decides sooner.
struct SpliceSchedule: Sendable {
    var breaks: [SpliceBreak] = []
    var commands: [SpliceCommand] = []
    /// The ID of the range that the newest slot lies in, as announced by EXT-X-CUE-OUT.
    var currentBreak: String?
    /// The tags of breaks whose ends the newest slot announced although no message had them.
    var unsignalledEnds: [DateRange] = []
    /// The number of breaks that there was no room for.
    private(set) var droppedCount = 0

    /// The time for which a splice without a time of its own may be repeated.
    private static let repetition = MediaTime(seconds: 60)
    /// The most breaks, and the most commands, more than any programme has at a time: finished ones go first, and
    /// beyond it no new ones are taken.
    private static let most = 320
    /// The breaks among them that the control API alone may begin, whatever feeds send.
    private static let reserved = 64

    /// True if the control API can begin no more breaks.
    var isFull: Bool { breaks.count >= Self.most && !breaks.contains(where: \.isEndAnnounced) }

    /// The times at which segments are to begin, in UTC.
    var boundaries: Set<MediaTime> { Set(breaks.lazy.filter { $0.cancelled == nil }.flatMap(\.boundaries)) }

    /// Takes a cue.
    ///
    /// - Returns: The new splices; segments are to begin with them.
    mutating func received(_ received: ReceivedCue) -> [MediaTime] {
        switch (received.cue.role, received.cue.event) {
        case (.out, _?):
            guard let new = SpliceBreak(received) else { return [] }
            return begin(new, isTimed: received.cue.timestamp != nil)
        case (.back, let event?):
            let known = breaks.lastIndex { $0.event == event && $0.start <= received.time && $0.cancelled == nil }
            guard let known else {
                command(received)
                return []
            }
            let section = received.message.bytes
            return end(known, SpliceBreak.End(time: received.time, heard: received.heard, section: section))
        case (.cancel, let event?):
            for index in breaks.indices where breaks[index].event.id == event.id {
                guard (breaks[index].event.type == nil) == (event.type == nil) else { continue }
                cancel(index, at: received)
            }
            return []
        case (.command, _), (_, nil):
            command(received)
            return []
        }
    }

    private mutating func begin(_ new: SpliceBreak, isTimed: Bool) -> [MediaTime] {
        let known = breaks.lastIndex { old in
            if old.cancelled != nil { return false }
            if old.matches(new.event, at: new.start) { return true }
            // A splice without a time is sent several times; another input sends it with its own delay.
            return old.event == new.event && !old.isOver(at: new.start) && (!isTimed || old.input != new.input)
                && abs((old.start - new.start).ticks) <= Self.repetition.ticks
        }
        if let known { return again(new, known) }
        // A break that was postponed before its announcement.
        breaks.removeAll { old in
            old.event == new.event && old.input == new.input && old.announcedStart == nil
                && old.end.map { $0.time > new.start } ?? true
        }
        // A repeated event ends the break before it.
        for index in breaks.indices where breaks[index].event == new.event && breaks[index].end == nil {
            breaks[index].end = SpliceBreak.End(time: max(new.start, breaks[index].start), heard: new.heard)
        }
        if breaks.count >= (new.input == .schedule ? Self.most : Self.most - Self.reserved) {
            // The end of an announced break must still be announced.
            guard let past = breaks.firstIndex(where: \.isEndAnnounced) else {
                droppedCount += 1
                return []
            }
            breaks.remove(at: past)
        }
        breaks.append(new)
        return new.boundaries
    }

    /// Takes more of a break from the input that announced it: everything before players get it, and its end
    /// afterwards.
    private mutating func again(_ new: SpliceBreak, _ known: Int) -> [MediaTime] {
        let old = breaks[known]
        guard old.input == new.input, !old.isEndAnnounced else { return [] }
        // The arrival of a repetition is not the start of the break.
        let new = old.isTimed || new.isTimed ? new : new.moved(to: old.start)
        if old.announcedStart == nil {
            breaks[known] = new
            breaks[known].heard = old.heard
            if new.end?.time == old.end?.time { breaks[known].end = old.end }
        } else if old.end?.isAssumed ?? true, let end = new.end, end.time != old.end?.time {
            breaks[known].end = end
        }
        return breaks[known].boundaries == old.boundaries ? [] : new.boundaries.filter { !old.boundaries.contains($0) }
    }

    private mutating func end(_ index: Int, _ end: SpliceBreak.End) -> [MediaTime] {
        guard !breaks[index].isEndAnnounced else { return [] }
        let before = breaks[index].end
        let isKnown = before.map { breaks[index].isNear($0.time, end.time) } ?? false
        // An end near the known one is a copy from another input.
        guard !isKnown || before?.isAssumed == true else { return [] }
        breaks[index].end = end
        // One that was assumed to the frame keeps its boundary.
        let isSame = before.map { abs(($0.time - end.time).ticks) < BoundaryPlan.inaccuracy.ticks } ?? false
        return isSame ? [] : [end.time]
    }

    /// Cancels a break: an unannounced break is dropped, and an announced one can only end (RFC 8216bis § 4.4.5.1.1).
    private mutating func cancel(_ index: Int, at received: ReceivedCue) {
        if breaks[index].announcedStart == nil {
            breaks[index].cancelled = breaks[index].cancelled ?? received.heard
        } else if !breaks[index].isEndAnnounced {
            let time = max(received.time, breaks[index].start)
            breaks[index].end = SpliceBreak.End(time: time, heard: received.heard)
        }
    }

    /// Takes a message that is no break, once, however often it is sent.
    private mutating func command(_ received: ReceivedCue) {
        var new = SpliceCommand(received)
        if let known = commands.firstIndex(where: { $0.isSame(as: new) }) {
            if commands[known].isAnnounced { commands[known].heard = max(commands[known].heard, new.heard) }
            return
        }
        if commands.count == Self.most {
            guard let past = commands.firstIndex(where: \.isAnnounced) else { return }
            commands.remove(at: past)
        }
        while commands.contains(where: { $0.id == new.id }) { new.time += MediaTime(milliseconds: 1) }
        commands.append(new)
    }
}
