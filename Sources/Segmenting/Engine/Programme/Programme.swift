import MediaCore
import NIOCore
import Operations
import Playlists
import Timeline

/// The programme of a channel as announced by feeds, people and programs: splices, date ranges, tags, and the
/// replacements of breaks.
struct Programme: Sendable {
    private let configuration: ChannelEngine.Configuration
    /// The splices that inputs have announced.
    private var splices = SpliceSchedule()
    /// The actions that people and programs have scheduled.
    private(set) var schedule = Schedule()
    /// The date ranges among them, and those announced to players.
    private(set) var dateRanges = DateRangeSchedule()
    private var interstitials: InterstitialSchedule
    /// The splices of the schedule that no slot was decided on with, in order.
    private(set) var scheduledSplices: [ScheduleAction] = []
    /// The IDs of those that were applied, here or in an earlier run, while they are in the schedule.
    private var heardSplices: [String] = []
    /// The ID3 tags of the schedule, in order.
    private(set) var tags: [ScheduleAction] = []
    /// The cues that came before the channel had its tracks, by the subtitles that they belong to.
    private var heldCues: [Int: [Cue]] = [:]

    init(_ configuration: ChannelEngine.Configuration) {
        self.configuration = configuration
        interstitials = InterstitialSchedule(
            channel: configuration.name,
            templates: configuration.interstitials,
            advertisements: configuration.advertisements
        )
    }

    /// Returns true if a cue is to be announced to players.
    func isWanted(_ cue: SpliceCue) -> Bool {
        configuration.spliceMarkers == .passthrough || cue.isAdvertisement(among: configuration.advertisements)
    }

    /// Takes a cue.
    ///
    /// - Returns: The new times, in UTC, at which segments are to begin.
    mutating func received(_ cue: ReceivedCue) -> [MediaTime] { splices.received(cue) }

    /// The times, in UTC, at which segments are to begin for breaks that were heard.
    var boundaries: Set<MediaTime> { splices.boundaries }

    /// The times, in UTC, at which segments are to begin once the scheduled splices are applied as well.
    var expectedBoundaries: Set<MediaTime> {
        if scheduledSplices.isEmpty { return boundaries }
        var expected = splices
        for cue in scheduledSplices.flatMap(cues(of:)) { _ = expected.received(cue) }
        return expected.boundaries
    }

    /// The tags of breaks whose ends the newest slot announced although no message had them.
    var unsignalledEnds: [DateRange] { splices.unsignalledEnds }

    /// The number of breaks that there was no room for.
    var droppedBreakCount: Int { splices.droppedCount }

    /// True if no break can be scheduled any more.
    var isFullOfBreaks: Bool { splices.isFull }

    /// Takes an action that was accepted.
    mutating func accept(_ action: ScheduleAction, at now: MediaTime) {
        _ = schedule.merge([action], at: now)
        switch action.content {
        case .dateRange, .update, .withdrawal: dateRanges.received(action)
        case .splice:
            if heardSplices.contains(action.id) { return }
            scheduledSplices.append(action)
            scheduledSplices.sort()
        case .metadata:
            tags.append(action)
            tags.sort()
        case .cues: break
        }
    }

    /// Keeps cues until the channel has its tracks.
    mutating func hold(_ cues: [Cue], of subtitles: Int) { heldCues[subtitles, default: []] += cues }

    /// Returns the number of cues that wait for the channel's tracks.
    func heldCueCount(of subtitles: Int) -> Int { heldCues[subtitles]?.count ?? 0 }

    /// Removes the cues that wait for the channel's tracks.
    mutating func takeHeldCues() -> [Int: [Cue]] {
        defer { heldCues = [:] }
        return heldCues
    }

    /// Forgets actions that are over.
    mutating func expire(at now: MediaTime) {
        schedule.expire(at: now)
        guard !heardSplices.isEmpty else { return }
        let known = Set(schedule.actions.map(\.id))
        heardSplices.removeAll { !known.contains($0) }
    }

    /// Continues with the date ranges and splices of an earlier run, or of a peer.
    mutating func restore(_ window: PublishedWindow) {
        dateRanges.restore(window.dateRanges)
        guard configuration.spliceMarkers != .none else { return }
        interstitials.restore(window.dateRanges)
        splices = SpliceSchedule(
            restoring: window.dateRanges,
            window.splicePlan,
            of: configuration.inputs + [.schedule]
        )
        heardSplices = window.splicePlan.posted
        scheduledSplices.removeAll { heardSplices.contains($0.id) }
    }

    /// Returns the date ranges that playlists get with a slot, without interstitials.
    mutating func announce(_ slot: SlotReach) -> DateRangeLines {
        hearSplices(before: slot)
        var lines = splices.announce(slot) + dateRanges.announce(slot)
        lines.cue = splices.cue(of: slot, configuration.cueOutTags, among: configuration.advertisements)
        return lines
    }

    /// Returns the date ranges that playlists get with a slot, with interstitials.
    mutating func withInterstitials(_ lines: DateRangeLines) -> DateRangeLines { interstitials.beside(lines) }

    /// Returns the splices that are not over; `boundaries` are the times, in UTC, of those that later slots begin with.
    func splicePlan(boundaries: [MediaTime]) -> SplicePlan {
        var plan = splices.plan
        plan.posted = heardSplices
        plan.boundaries = boundaries
        return plan
    }

    /// Applies splices of the schedule that are effective before the end of a final slot.
    private mutating func hearSplices(before slot: SlotReach) {
        if scheduledSplices.isEmpty { return }
        let due = scheduledSplices.filter { $0.effective < slot.end }
        scheduledSplices.removeAll { $0.effective < slot.end }
        heardSplices += due.map(\.id)
        for action in due {
            for received in cues(of: action) where !received.cue.isOver(from: received.time, at: slot.start) {
                _ = splices.received(received)
            }
        }
    }

    /// Returns the cues of a scheduled splice that players are to get; none for other actions.
    private func cues(of action: ScheduleAction) -> [ReceivedCue] {
        guard case .splice(let section, let time) = action.content,
            let message = try? SpliceMessage(reading: section.span.bytes)
        else { return [] }
        return message.section.cues.filter(isWanted).map {
            ReceivedCue(cue: $0, message: message, time: time, heard: action.effective, input: .schedule)
        }
    }

    /// Returns the tags of the schedule that are due in a span of time, in order.
    func tags(in span: Range<MediaTime>) -> [TimedTag] {
        tags.compactMap { action in
            guard case .metadata(let bytes, let time) = action.content, span.contains(time) else { return nil }
            return TimedTag(utc: time, bytes: ByteBuffer(bytes: bytes))
        }
    }

    /// Forgets the tags of segments that are decided on.
    mutating func discardTags(before time: MediaTime) {
        tags.removeAll { action in
            if case .metadata(_, let due) = action.content { due < time } else { true }
        }
    }
}

extension SpliceCue {
    /// Returns true if a break or a moment that begins at one time is over at another, so that it was not announced in
    /// time.
    fileprivate func isOver(from start: MediaTime, at time: MediaTime) -> Bool {
        guard case .out(let duration?, _) = role else { return start < time }
        return start + MediaTime(ticks: Int64(clamping: duration)) < time
    }
}
