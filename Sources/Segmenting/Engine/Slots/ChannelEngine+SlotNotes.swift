import Logging
import MediaCore
import Operations
import Playlists
import Timeline

/// Reports about a slot.
extension ChannelEngine {
    /// Reports renditions that start elsewhere than the leading one, with the distance.
    mutating func noteMisalignment(_ slot: Slot) {
        let positions = renditions.map(\.plan.position)
        let clocks = inputs.clocks
        let areInSync = { (a: TrackIndex, b: TrackIndex) in
            if positions[a.value] == positions[b.value] { return true }
            let sharing = clocks.inputs(sharingWith: positions[a.value])
            return sharing.isEmpty || sharing.contains(positions[b.value])
        }
        for (place, news, isAligned) in watches.compareTracks(of: slot, areInSync: areInSync) {
            let rendition = renditions[place]
            let problem = "\(rendition.id?.name ?? "video"): \(news)"
            report(problem, isAligned ? .alignedAgain : .misaligned, input: .input(at: rendition.plan.position))
        }
    }

    /// Reports key frames at a regular distance that do not begin parts, and the part duration that mends it.
    mutating func noteKeyFrames(of part: SlotPart) {
        guard let target = configuration.horizon.partDuration,
            let misfit = watches.keyFrames.observe(
                part,
                target: target,
                slotDuration: configuration.grid.slotDuration
            )
        else { return }
        let remedy =
            misfit.partDuration.map { "set part-duration: \($0.decimalSeconds)" }
            ?? "set the encoder to a key frame every second or two"
        let metadata: Logger.Metadata = [
            "rendition": "\(renditions[part.track].id?.name ?? "video")",
            "what": "a key frame every \(misfit.distance.decimalSeconds) s, parts of \(target.decimalSeconds) s",
            "viewers": "players may begin with a part that they can use only partly",
            "do": "\(remedy)",
        ]
        log(.warning, "part-duration does not fit the key frames", metadata)
    }

    /// Reports changes of the renditions' sources from this slot on: one event and one line of the log for all
    /// renditions that change alike.
    mutating func noteChanges(_ slot: Slot) {
        var changes = SlotChanges()
        for place in slot.tracks {
            guard let cut = slot.segments[place.value], let subject = subject(at: place) else { continue }
            let input = slot.sources[place.value].flatMap { self.input(of: place, rank: $0) }
            let now = OnAir(cut, from: input)
            let before = renditions[place].onAir
            // A loss that lasts is no longer that of the restart.
            let isOutage = renditions[place].isLostByRestart && now == before && !mayFollowRestart(slot.number)
            guard now != before || isOutage else { continue }
            renditions[place].onAir = now
            renditions[place].isLostByRestart = !isOutage && beganBeforeStart(slot.number) && now.isSubstitute
            noteChange(from: before, to: now, at: place, of: subject, slot.number, &changes)
        }
        report(changes, slot.number)
        followLosses(slot)
    }

    /// Returns what reports call a place; nil if it has had no media.
    func subject(at place: TrackIndex) -> SlotChanges.Subject? {
        // Audio that is only carried belongs to the rendition of its video.
        let plan = renditions[place].plan
        let carrier = plan.isOnlyCarried ? plan.carrier : nil
        guard let id = renditions[carrier ?? place].id else { return nil }
        return SlotChanges.Subject(id: id, kind: plan.kind, isCarriedAudio: carrier != nil)
    }

    private mutating func noteChange(
        from before: OnAir,
        to now: OnAir,
        at place: TrackIndex,
        of subject: SlotChanges.Subject,
        _ slot: MediaSequenceNumber,
        _ changes: inout SlotChanges
    ) {
        if case .input(let new) = now {
            // Also after a gap, or a filler, in a slot that its input began and did not end.
            let old = renditions[place].formerInput
            renditions[place].formerInput = new
            if let old, old != new, inputs.feeds.contains(where: { $0.id == old }) {
                noteSwitch(from: old, to: new, at: place, of: subject, &changes)
            }
        }
        switch (before, now) {
        case (.nothing, .input): renditions[place].isAwaited = true
        case (_, .nothing): break
        case (.input, .input(let new)): renditions[place].comeback?.input = new
        case (_, .input(let new)):
            renditions[place].chosen = nil
            renditions[place].comesBack(from: new, in: slot)
        case (_, .filler(let filler)):
            renditions[place].loss = renditions[place].loss ?? Loss(since: slot)
            changes.lost(subject, to: filler, at: place)
        case (_, .gap):
            renditions[place].loss = renditions[place].loss ?? Loss(since: slot)
            changes.lost(subject, to: nil, at: place)
        case (_, .cutShort):
            renditions[place].loss = renditions[place].loss ?? Loss(since: slot)
            renditions[place].loss?.isLogged = true
            changes.cutShort.insert(subject)
        }
    }

    private mutating func noteSwitch(
        from old: InputID,
        to new: InputID,
        at place: TrackIndex,
        of subject: SlotChanges.Subject,
        _ changes: inout SlotChanges
    ) {
        let isChosen = renditions[place].chosen == new
        renditions[place].chosen = nil
        let why = switchReason(from: old, to: new, isChosen: isChosen, isHeld: choices.isHeld(new))
        changes.switched(SlotChanges.Switch(from: old, to: new, why: why), subject)
    }

    /// Reports the renditions that viewers have media of for the first time, or again: without its key, a segment is a
    /// gap.
    mutating func noteMedia(of decision: SlotDecision) {
        var begun = SlotChanges.Renditions()
        var changes = SlotChanges()
        for place in renditions.indices {
            // Later slots may have been decided on since.
            let comeback = renditions[place].comeback.flatMap { $0.slot <= decision.number ? $0 : nil }
            guard renditions[place].isAwaited || comeback != nil, let subject = subject(at: place),
                hasMedia(of: subject, decision)
            else { continue }
            if renditions[place].isAwaited { begun.insert(subject) }
            renditions[place].isAwaited = false
            guard let comeback else { continue }
            changes.returned(comeback, subject)
            renditions[place].comeback = nil
        }
        if !begun.isEmpty {
            note(.onAir, "Viewers get \(begun.list).", slot: decision.number)
            log(.notice, "on air", ["renditions": "\(begun.text)", "slot": .number(Int(decision.number.value))])
        }
        reportReturns(changes, decision.number)
    }

    /// Returns true if viewers get an input's media of a rendition, or of the audio that it carries.
    private func hasMedia(of subject: SlotChanges.Subject, _ decision: SlotDecision) -> Bool {
        guard let contents = decision.segments.first(where: { $0.id == subject.id })?.contents, !contents.isGap
        else { return false }
        let cut = subject.isCarriedAudio ? contents.audio : contents.cut
        return cut.map { $0.filler == nil } ?? false
    }

    /// Records and logs the changes of a slot, each of them once.
    private mutating func report(_ changes: SlotChanges, _ slot: MediaSequenceNumber) {
        for (change, renditions) in changes.switches {
            let what = "\(change.to) fills \(renditions.list) instead of \(change.from). \(change.why)"
            note(.switched, what, input: change.to, renditions: renditions.ids, slot: slot)
            let metadata: Logger.Metadata = [
                "renditions": "\(renditions.text)", "from": "\(change.from)", "to": "\(change.to)",
                "why": "\(change.why)",
            ]
            log(.notice, "input switched", metadata)
        }
        if !changes.cutShort.isEmpty { reportCut(of: changes.cutShort, slot) }
        if !changes.losses.isEmpty { reportLosses(changes, slot) }
    }

    /// Reports a segment that ends in gaps after its first parts: another input may fill the next one.
    private mutating func reportCut(of renditions: SlotChanges.Renditions, _ slot: MediaSequenceNumber) {
        let what = "No input could continue this segment for \(renditions.list): viewers miss the rest of it."
        note(.gap, what, renditions: renditions.ids, slot: slot)
        let metadata: Logger.Metadata = [
            "renditions": "\(renditions.list)", "slot": .number(Int(slot.value)),
            "viewers": "players with parts get its beginning, others skip it",
            "do": "nothing, if input switched or media is back follows; else \(Self.remedyForLoss)",
        ]
        log(.warning, "segment is cut short", metadata)
    }

    private mutating func reportReturns(_ changes: SlotChanges, _ slot: MediaSequenceNumber) {
        for (input, back) in changes.returns {
            let what = "There is media for \(back.renditions.list) again, from \(input)."
            note(.media, what, input: input, renditions: back.renditions.ids, slot: slot)
            var metadata: Logger.Metadata = ["renditions": "\(back.renditions.list)"]
            if let lost = back.losses.lazy.compactMap({ $0?.since }).min() {
                let duration = configuration.grid.slotDuration * (slot.value - lost.value)
                metadata["after_seconds"] = .number(Int(duration.seconds.rounded()))
            }
            // A segment that could not be written was logged, too.
            let isLossLogged = back.losses.contains { $0?.isLogged ?? true }
            log(isLossLogged ? .notice : .debug, "media is back", input, metadata)
        }
    }

    private mutating func reportLosses(_ changes: SlotChanges, _ slot: MediaSequenceNumber) {
        let wasStopped = beganBeforeStart(slot)
        let cause =
            wasStopped
            ? "The packager was not running this channel when the slot began, and has no media" : "No input has media"
        let severity: ChannelEvent.Severity? = wasStopped ? .warning : nil
        let others = kindsOnAir()
        var effects: [String] = []
        for (filler, renditions) in changes.losses {
            let own = LossEffect.effects(of: renditions, filler, others: others)
            effects += own.map(\.text)
            let what = "\(cause) for \(renditions.list): \(own.map(\.sentence).joined(separator: "; "))."
            let kind: ChannelEvent.Kind = filler == nil ? .gap : .filler
            note(kind, what, severity: severity, renditions: renditions.ids, slot: slot)
        }
        var metadata: Logger.Metadata = [
            "renditions": "\(changes.lost.list)", "slot": .number(Int(slot.value)),
            "viewers": "\(effects.joined(separator: "; ")) until media is back",
        ]
        // The log says then that the input is lost, and will say when it is back.
        let isReported =
            !wasStopped && changes.placesLost.allSatisfy { inputs.isLossReported(at: renditions[$0].plan.position) }
        if !isReported { for place in changes.placesLost { renditions[place].loss?.isLogged = true } }
        if wasStopped { return log(.notice, "no media from before the start", metadata) }
        metadata["do"] = "\(Self.remedyForLoss)"
        log(isReported ? .debug : .warning, "no input has media", metadata)
    }

    /// Returns true if a channel that continues a window was not running yet when a slot began.
    private func beganBeforeStart(_ slot: MediaSequenceNumber) -> Bool { began(slot, before: .zero) }

    /// Returns true if a slot may lack media because its inputs are only being opened.
    private func mayFollowRestart(_ slot: MediaSequenceNumber) -> Bool {
        began(slot, before: (configuration.inputTimeout ?? MediaTime(seconds: 2)) + configuration.grid.slotDuration)
    }

    private func began(_ slot: MediaSequenceNumber, before delay: MediaTime) -> Bool {
        guard configuration.isPaced, ledger.newestBefore != nil, let startedAt else { return false }
        return configuration.grid.start(of: slot) < startedAt + delay
    }

    /// Returns the reason why one input gave way to another, and the assumption about their clocks.
    private func switchReason(from old: InputID, to new: InputID, isChosen: Bool, isHeld: Bool) -> String {
        let health = inputs[feed(old)].health.report(at: now)
        var reason = ""
        if isHeld || isChosen {
            reason = choices.sentence(on: new, holds: isHeld)
        } else if new.rank < old.rank {
            reason = "The preferred input has a whole segment again."
        } else if health.score < 100 {
            reason = health.summary
        } else {
            reason = "The segment of the former input was incomplete."
        }
        guard configuration.clock == .arrival else { return reason }
        let alignment = inputs.alignment(of: feed(old.rank > new.rank ? old : new))
        return reason + " " + (alignment?.text ?? "The delay between the two was not measured.")
    }
}
