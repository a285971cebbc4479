import MediaCore
import Playlists
import SCTE35

/// A break: the way out of the programme and back, with its announcements to players.
struct SpliceBreak: Sendable {
    let event: SpliceCue.Event
    let name: String
    /// The input that announced it first.
    let input: InputID
    var start: MediaTime
    /// The progress of the feed when it announced the break, in UTC.
    var heard: MediaTime
    /// The time when its cancellation arrived, as ``heard``; nil if it was not cancelled.
    var cancelled: MediaTime?
    let planned: MediaTime?
    /// True if it begins at a time of its own, and not at its arrival.
    let isTimed: Bool
    /// The section that leaves the programme.
    let section: [UInt8]
    var end: End?
    /// The start that was announced to players, in UTC.
    var announcedStart: MediaTime?
    /// True if the ID of its range has milliseconds, since another break of its event began in the same second.
    var hasExactID = false
    /// True if its end was announced to players.
    var isEndAnnounced = false

    typealias End = SplicePlan.End

    /// Takes a cue that leaves the programme; nil for any other.
    init?(_ received: ReceivedCue) {
        let (cue, message) = (received.cue, received.message)
        guard case .out(let duration, let returnsByItself) = cue.role, let event = cue.event else { return nil }
        (self.event, input, start, heard) = (event, received.input, received.time, received.heard)
        name = cue.name
        isTimed = cue.timestamp != nil || received.input == .schedule
        // A break has 33 bits for it, a segment 40: 141 days.
        planned = duration.map { MediaTime(ticks: Int64($0)) }
        section = message.bytes
        guard returnsByItself, let planned else { return }
        let bytes = message.section.autoReturn().flatMap { try? $0.bytes() }
        end = End(time: start + planned, heard: heard, section: bytes, isAssumed: true)
    }

    /// Returns the same break with another start; the end that its duration gives moves with it.
    func moved(to time: MediaTime) -> Self {
        var moved = self
        moved.start = time
        if end?.isAssumed == true, let planned { moved.end?.time = time + planned }
        return moved
    }

    /// The ID of its range; nil until announced.
    var id: String? { announcedStart.map { "\(name)-\($0.compact(withMilliseconds: hasExactID))" } }

    func matches(_ event: SpliceCue.Event?, at time: MediaTime) -> Bool {
        self.event == event && isNear(time, start)
    }

    /// Returns true if two inputs may mean the same by these times.
    func isNear(_ time: MediaTime, _ other: MediaTime) -> Bool { abs((time - other).ticks) <= Self.inaccuracy.ticks }

    private static let inaccuracy = MediaTime(milliseconds: 500)

    /// The times at which segments are to begin.
    var boundaries: [MediaTime] { [start] + (end.map { [$0.time] } ?? []) }

    func isOver(at time: MediaTime) -> Bool { isEndAnnounced && (end?.time ?? start) <= time }

    /// The longest duration of a break without an end.
    private var longest: MediaTime {
        if let planned { return planned * 2 }
        let isOfProgramme = event.type?.isOfProgramme ?? false
        return MediaTime(seconds: isOfProgramme ? 86_400 : 3_600)
    }

    /// Returns the end of the break, if it is to be announced by then.
    func dueEnd(by time: MediaTime) -> End? {
        guard let start = announcedStart, !isEndAnnounced else { return nil }
        let end = end ?? End(time: start + longest, heard: heard)
        return end.time < time ? end : nil
    }

    /// Notes that its start is announced.
    ///
    /// - Parameters:
    ///   - time: The start in UTC, to the sample.
    ///   - known: The IDs of other ranges.
    /// - Returns: The first tag of its range.
    mutating func announceStart(at time: MediaTime, besides known: [String]) -> DateRange {
        let time = time.wholeMilliseconds
        announcedStart = time
        hasExactID = id.map(known.contains) ?? false
        var tag = DateRange(id: id ?? name, start: time)
        tag.plannedDuration = planned
        tag.spliceOut = section
        return tag
    }

    /// Ends an announced break that was cancelled behind the slot, which another member of the pair had announced by then.
    mutating func endIfCancelled() {
        guard let start = announcedStart, let cancelled else { return }
        end = End(time: max(cancelled, start), heard: cancelled)
        self.cancelled = nil
    }

    /// Notes that its end is announced.
    ///
    /// - Parameter time: The end in UTC, to the sample.
    /// - Returns: The second tag of its range.
    mutating func announceEnd(at time: MediaTime) -> DateRange? {
        guard let start = announcedStart, let id else { return nil }
        end = End(time: time, heard: end?.heard ?? heard, section: end?.section)
        isEndAnnounced = true
        // The date is repeated as it was: Shaka Player drops a tag without one, and hls.js one that differs.
        var tag = DateRange(id: id, start: start, duration: max(.zero, time.wholeMilliseconds - start))
        tag.spliceIn = end?.section
        return tag
    }
}

extension SegmentationType {
    /// True if it opens something that lasts as long as a programme may.
    fileprivate var isOfProgramme: Bool { [0x10, 0x20, 0x40, 0x50].contains(rawValue) }
}

extension MediaTime {
    /// The time as dates are written, so that durations are differences of the dates that players read.
    var wholeMilliseconds: MediaTime { MediaTime(milliseconds: milliseconds) }

    /// Returns the time as `20261121T080000Z`, or with milliseconds as `20261121T080000123Z`.
    func compact(withMilliseconds: Bool) -> String {
        let text = iso8601.filter { $0 != "-" && $0 != ":" && $0 != "." }
        return withMilliseconds ? text : text.dropLast(4) + "Z"
    }
}
