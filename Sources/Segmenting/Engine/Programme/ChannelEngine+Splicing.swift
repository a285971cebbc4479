import Logging
import MediaCore
import Operations
import Playlists
import Timeline

/// Splices, which move boundaries and are announced to players.
extension ChannelEngine {
    /// Takes a section: players get it as date ranges, and segments begin with its splices.
    mutating func received(_ message: SpliceMessage, of feed: FeedIndex) {
        guard configuration.spliceMarkers != .none else { return }
        guard inputs[feed].timeline.isAnchored else { return inputs[feed].hold(message) }
        let heard = inputs[feed].reached ?? now
        for cue in message.section.cues where programme.isWanted(cue) {
            var time = heard
            if let timestamp = cue.timestamp, let place = inputs[feed].timeline.place(timestamp: timestamp) {
                time = place + inputs[feed].utcOffset + inputs[feed].shift
            }
            // A cue that far off is damaged, or counts by another clock.
            guard abs((time - heard).ticks) < Self.furthest.ticks else {
                watches.repairs.record(RepairLog.implausibleSplice, of: inputs[feed].id)
                continue
            }
            let received = ReceivedCue(
                cue: cue,
                message: message,
                time: time,
                heard: heard,
                input: inputs[feed].id
            )
            joining?.splices.append(received)
            for splice in hear(received) {
                if cue.timestamp == nil, splice == time {
                    noteImmediateSplice(at: time, of: inputs[feed].id)
                } else {
                    condition(splice, heard: heard, of: inputs[feed].id)
                }
            }
        }
    }

    /// Takes the messages that came before the feed had its place.
    mutating func receiveHeldSplices(of feed: FeedIndex) {
        for message in inputs[feed].takeHeldSplices() { received(message, of: feed) }
    }

    /// Continues with the programme of an earlier run, or of a peer.
    mutating func restoreProgramme(_ window: PublishedWindow) {
        programme.restore(window)
        if configuration.spliceMarkers != .none { segmenter.restore(boundaries: window.splicePlan.boundaries) }
    }

    /// Returns the splices that are not over once a slot is published.
    func splicePlan(after slot: MediaSequenceNumber) -> SplicePlan {
        if configuration.spliceMarkers == .none { return SplicePlan() }
        return programme.splicePlan(boundaries: segmenter.plan.splices(from: slot.next))
    }

    /// Takes a cue, and returns boundaries to the grid that no break has any more: it was postponed, shortened or
    /// cancelled.
    ///
    /// - Returns: The new times, in UTC, at which segments are to begin.
    @discardableResult
    mutating func hear(_ cue: ReceivedCue) -> [MediaTime] {
        let before = programme.boundaries
        let dropped = programme.droppedBreakCount
        let new = programme.received(cue)
        if programme.droppedBreakCount > dropped { watches.repairs.record(RepairLog.surplusBreak, of: cue.input) }
        withdraw(before.subtracting(programme.boundaries), heard: cue.heard, of: cue.input)
        return new
    }

    /// Returns boundaries to the grid, unless something else has them.
    mutating func withdraw(_ splices: Set<MediaTime>, heard: MediaTime, of input: InputID?) {
        if splices.isEmpty { return }
        let needed = programme.expectedBoundaries
        for splice in splices.sorted() {
            if needed.contains(where: { abs(($0 - splice).ticks) < BoundaryPlan.inaccuracy.ticks }) { continue }
            guard let slot = segmenter.withdraw(spliceAt: splice, heard: heard) else { continue }
            let message = "The splice at \(splice.iso8601) was withdrawn: no segment begins with it."
            note(.splice, message, input: input, slot: slot)
        }
    }

    /// Moves a boundary to the splice if possible; otherwise the reason is reported.
    mutating func condition(_ utc: MediaTime, heard: MediaTime, of input: InputID?) {
        let (message, slot): (String, MediaSequenceNumber?) =
            switch segmenter.splice(at: utc, heard: heard) {
            case .planned(let slot): ("A segment will begin with the splice at \(utc.iso8601).", slot)
            case .late(let distance):
                (
                    "The cue for the splice at \(utc.iso8601) came \(distance.milliseconds) ms too late for a segment to "
                        + "begin with it: players switch inside a segment.",
                    nil
                )
            case .crowded:
                (
                    "The splice at \(utc.iso8601) is too close to another for a segment of its own: players switch "
                        + "inside a segment.",
                    nil
                )
            }
        note(.splice, message, input: input, slot: slot)
    }

    /// Reports a splice without a time, which cannot be waited for.
    private mutating func noteImmediateSplice(at utc: MediaTime, of input: InputID) {
        note(
            .splice,
            "The splice at \(utc.iso8601) is immediate: no segment begins with it, and players switch inside one.",
            input: input
        )
    }

    /// Reports a segment that does not begin with the splice that it was to begin with.
    mutating func noteSplice(_ slot: Slot) {
        guard let splice = slot.splice, abs(splice.distance.ticks) > Self.missed.ticks else { return }
        let side = splice.distance < .zero ? "before" : "after"
        let distance = abs(splice.distance.milliseconds)
        let metadata: Logger.Metadata = [
            "slot": .number(Int(slot.number.value)), "by": "\(distance) ms",
            "viewers": "they switch that much \(side) the splice",
            "do": "set the encoder to make a key frame at each splice",
        ]
        log(.warning, "splice missed", metadata)
        note(
            .splice,
            "The segment begins \(distance) ms \(side) the splice at \(splice.time.iso8601), where the encoder has no key "
                + "frame: players switch that much \(side) it.",
            slot: slot.number
        )
    }

    /// Reports a break whose end was announced to players although the feed never signalled it.
    mutating func noteEnds(of breaks: [DateRange], _ slot: MediaSequenceNumber) {
        for tag in breaks {
            guard let start = tag.start, let duration = tag.duration else { continue }
            note(
                .splice,
                "No message of the feed ends the break at \(start.iso8601): playlists end it after \(duration.seconds) s.",
                slot: slot
            )
        }
    }

    /// The largest distance of a splice that is not missed: two frames, and the slewing of UTC while it is waited for.
    private static let missed = MediaTime(milliseconds: 80)
    private static let furthest = MediaTime(seconds: 600)
}
