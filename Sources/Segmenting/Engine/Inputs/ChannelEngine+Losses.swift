import Logging
import MediaCore
import Operations
import Playlists
import Timeline

/// Inputs that are lost, and that come back.
extension ChannelEngine {
    /// Notes that an input broke off, or could not be opened.
    mutating func lost(_ feed: FeedIndex, _ reason: String) {
        let isReported = inputs[feed].health.isMute
        inputs[feed].health.lost(at: now)
        // Each failed attempt to open it again is told as well.
        if inputs[feed].isConnected { restart(feed) }
        // The shortcomings of its tracks say more than the way in which it ended.
        if inputs[feed].shortcoming == nil { inputs[feed].shortcoming = reason }
        guard inputs[feed].isConnected else {
            if let news = inputs[feed].absence.failed(reason, at: now) { reportAbsence(news, of: feed) }
            return
        }
        inputs[feed].isConnected = false
        if isReported {
            _ = inputs[feed].absence.failed(reason, at: now)
        } else {
            beginLoss(of: feed, since: now, because: reason, "It broke off: \(reason).")
        }
    }

    /// Finds inputs that are open and bring nothing, and inputs that bring media again.
    mutating func watchSilence() {
        for feed in inputs.range where inputs[feed].pace != .stored {
            switch inputs[feed].health.timeAdvanced(to: now) {
            case .silent(let since):
                let age = (now - since).inTenths
                beginLoss(of: feed, since: since, because: "no media for \(age)", "It has brought no media for \(age).")
            case .back(let since):
                inputs[feed].absence.ended()
                inputs[feed].loss?.returned(at: since)
            case nil: break
            }
        }
    }

    private mutating func beginLoss(of feed: FeedIndex, since: MediaTime, because reason: String, _ message: String) {
        let input = inputs[feed].id
        if inputs[feed].loss == nil {
            var loss = LossIncident(of: input, since: since)
            // A connection may have brought nothing for a while before it broke off.
            let latest = min(since, inputs[feed].health.lastArrival)
            for slot in watches.outcomes.ending(after: latest, at: input.position) { loss.decided(slot) }
            inputs[feed].loss = loss
        } else {
            inputs[feed].loss?.lostAgain()
        }
        inputs[feed].absence.began(at: since)
        let viewers = lossForViewers(of: input)
        let level: Logger.Level = inputs.standIn(for: input) == nil ? .error : .warning
        log(
            level,
            "input lost",
            input,
            ["reason": "\(reason)", "viewers": "\(viewers)", "do": "\(Self.remedyForLoss)"]
        )
        note(.inputLost, message, severity: ChannelEvent.Severity(level), input: input)
    }

    /// Counts the media that a slot lacks for inputs that are lost, and reports inputs that viewers have again.
    mutating func followLosses(_ slot: Slot) {
        for position in configuration.positions {
            let outcome = outcome(of: slot, at: position)
            watches.outcomes.note(outcome)
            for feed in inputs.range where inputs[feed].id.position == position {
                follow(outcome, of: slot.number, feed)
            }
        }
    }

    private func outcome(of slot: Slot, at position: InputPosition) -> SlotOutcome {
        var outcome = SlotOutcome(
            at: position,
            endingAt: configuration.grid.start(of: slot.number.next),
            duration: configuration.grid.slotDuration
        )
        for place in slot.tracks where !segmenter.isWithdrawn(track: place) {
            let rendition = renditions[place]
            guard rendition.plan.position == position, !rendition.plan.kind.isSparse else { continue }
            outcome.add(rendition.plan, rendition.onAir, slot.segments[place.value])
        }
        return outcome
    }

    private mutating func follow(_ outcome: SlotOutcome, of slot: MediaSequenceNumber, _ feed: FeedIndex) {
        guard var loss = inputs[feed].loss else { return }
        let input = inputs[feed].id
        loss.decided(outcome)
        inputs[feed].loss = loss
        guard let returnedAt = loss.returnedAt, let duration = loss.duration, outcome.substitute == nil,
            configuration.grid.start(of: slot.next) >= returnedAt
        else { return }
        inputs[feed].loss = nil
        note(.inputReturned, "It is back after \(duration.inTenths). \(loss.effect)", input: input, slot: slot)
        log(
            .notice,
            "input is back",
            input,
            ["after_seconds": .number(Int(duration.seconds.rounded())), "viewers": "\(loss.effect)"]
        )
    }

    static let remedyForLoss = "check the encoder and the address that it sends to"

    /// Returns the effect on viewers of losing an input.
    func lossForViewers(of input: InputID) -> String {
        if let other = inputs.standIn(for: input) {
            return "they lose nothing while \(other) delivers; it fills the next segments"
        }
        var lost = SlotChanges.Renditions()
        for place in renditions.indices
        where renditions[place].plan.position == input.position && !segmenter.isWithdrawn(track: place) {
            if let subject = subject(at: place) { lost.insert(subject) }
        }
        if lost.isEmpty { return "they get nothing from it until it opens" }
        let others = kindsOnAir(besides: input.position)
        let effects = LossEffect.effects(of: lost, configuration.filler.substitute, others: others)
        return "\(effects.map(\.text).joined(separator: "; ")) until media is back"
    }

    /// Returns the kinds of the renditions that inputs fill now, those at one position excepted.
    func kindsOnAir(besides position: InputPosition? = nil) -> Set<MediaKind> {
        let filled = renditions.filter { rendition in
            if case .input(let input) = rendition.onAir { input.position != position } else { false }
        }
        return Set(filled.map(\.plan.kind))
    }

    /// Returns the input that viewers get everything from that another one would give them; nil if it is itself on air,
    /// or nothing is.
    func inputOnAir(inPlaceOf input: InputID) -> InputID? {
        var others: Set<InputID> = []
        for rendition in renditions where rendition.plan.position == input.position {
            switch rendition.onAir {
            case .input(let other) where other != input: others.insert(other)
            case .nothing: continue
            case .input, .filler, .gap, .cutShort: return nil
            }
        }
        return others.min { $0.rank < $1.rank }
    }
}

extension LossFiller {
    /// The filler as segments have it; nil for a gap.
    fileprivate var substitute: CutSegment.Filler? {
        switch self {
        case .gap: nil
        case .hold: .hold
        case .slate: .slate
        }
    }
}
