import ContentProtection
import Logging
import MediaCore
import Playlists
import Presentation
import Synchronization
import Timeline

/// From slots to what viewers get.
extension Channel {
    func advance(_ state: inout State, to now: MediaTime) {
        guard !state.isEnded else { return }
        let slots = state.segmenter.timeAdvanced(to: now)
        if !slots.isEmpty { publish(slots, &state) }
    }

    func publish(_ slots: [Slot], _ state: inout State) {
        for (repair, place, rank) in state.segmenter.takeRepairs() {
            record(repair.rawValue)
            let input = self.input(of: place, rank: rank, state)
            if !repair.leavesIndependence, let input { inputs.withLock { $0[input] }?.dependentSegment() }
        }
        guard state.joining == nil else {
            state.joining?.slots += slots
            if state.joining?.isReady == true { finishJoining(&state) }
            return
        }
        // After a long outage there may be many.
        presentation.renderOnce {
            var missed: [Slot] = []
            for slot in slots where !state.isEnded && state.newestOfTwin.map({ slot.number > $0 }) ?? true {
                if isStopped.load(ordering: .relaxed) { return }
                if slot.isGap {
                    missed.append(slot)
                    continue
                }
                publish(run: missed, &state)
                missed = []
                publish(run: [slot], &state)
            }
            publish(run: missed, &state)
        }
        noteMemory(&state)
        mirror?.follow(presentation)
    }

    private func input(of place: Int, rank: Int, _ state: borrowing State) -> InputID? {
        let position = state.plans[place].position
        return configuration.inputs.first { $0.rank == rank && $0.position == position }
    }

    /// Says early that memory will not do, and what becomes of it.
    private func noteMemory(_ state: inout State) {
        switch state.memoryWatch.observe(presentation.memoryUse) {
        case .scarce(let problem):
            note(.memory, "\(problem.prefix(1).uppercased())\(problem.dropFirst()).")
            logger.warning("memory is scarce", metadata: ["what": "\(problem)"])
        case .enough:
            note(.memory, "Window and retention fit into maximum-memory again.")
            logger.notice("memory is enough again")
        case nil: break
        }
    }

    /// Publishes one slot, or several that are nothing but gaps.
    private func publish(run slots: [Slot], _ state: inout State) {
        guard let first = slots.first, let last = slots.last else { return }
        declareRenditions(for: first, &state)
        let published = slots.map { package($0, &state) }
        if let schedule = configuration.encryption.schedule {
            let keys = Result { try sessionKeys(schedule, last.number, state.plans) }
            if case .success(let keys) = keys { presentation.setSessionKeys(keys) }
            endpoint.setKeys(available: (try? keys.get()) != nil)
        }
        // What is read as fast as it can be has a time of its own to expire by.
        let now = configuration.isPaced ? clock.now : configuration.grid.start(of: last.number.next)
        guard append(published, &state, at: now), let newest = published.last else { return }
        let segmenter = state.segmenter
        let withdrawn = state.renditions.enumerated().filter { segmenter.isWithdrawn(track: $0.offset) }
        endpoint.slotPublished(newest, withdrawn: Set(withdrawn.compactMap(\.element)), now: now)
        for (slot, published) in zip(slots, published) {
            noteChanges(slot, published, &state)
            noteMisalignment(slot, &state)
        }
        dropForsaken(&state)
    }

    /// What viewers get of a slot.
    private func package(_ slot: Slot, _ state: inout State) -> PublishedSlot {
        var published = PublishedSlot(
            number: slot.number,
            followsLeap: slot.followsLeap,
            startsDiscontinuity: slot.startsDiscontinuity,
            segments: [:]
        )
        for (index, cut) in slot.segments.enumerated() {
            guard let cut, let id = state.renditions[index] else { continue }
            let packager = packager(at: index, id, &state)
            do {
                let segment = try packager.package(contents(of: slot, cut, at: index, &state))
                // What an earlier run has published may have been decoded otherwise, and sound may have joined pictures.
                if let fingerprint = segment.fingerprint {
                    let restored = state.restored.removeValue(forKey: index)?.fingerprint
                    let before = state.fingerprints.updateValue(fingerprint, forKey: index) ?? restored
                    if let before, before != fingerprint { published.startsDiscontinuity = true }
                }
                published.segments[id] = segment
                if segment.media != nil, state.unwritable.remove(index) != nil { state.mustDeclare = true }
            } catch {
                // The other renditions and the slots to come must not suffer for it.
                record(RepairLog.unpublishableSegment)
                published.segments[id] = packager.gap(cut)
                if !presentation.hasMedia(of: id) { leaveOut(index, id, because: error, &state) }
            }
        }
        if state.mustDeclare { declareRenditions(for: slot, &state) }
        for place in state.unwritable { state.renditions[place].map { published.segments[$0] = nil } }
        return published
    }

    /// What goes into a segment besides what was cut for it.
    private func contents(of slot: Slot, _ cut: CutSegment, at place: Int, _ state: inout State) -> SegmentContents {
        let plans = state.plans
        var contents = SegmentContents(cut)
        guard plans[place].format == .transportStream else { return contents }
        if let sound = plans.indices.first(where: { plans[$0].carrier == place }) {
            contents.sound = slot.segments[sound].flatMap { $0.isGap ? nil : $0 }
            contents.soundConfiguration = contents.sound?.configuration ?? state.segmenter.configuration(of: sound)
            contents.awaitsSound = !state.segmenter.isWithdrawn(track: sound)
        }
        guard state.positionsWithTags.contains(plans[place].position) else { return contents }
        let input = slot.sources[place].flatMap { self.input(of: place, rank: $0, state) }
        contents.tags = input.flatMap { state.tags[$0]?.tags(in: cut) } ?? []
        let past = cut.start.utc - configuration.grid.slotDuration
        for id in state.tags.keys { state.tags[id]?.discard(before: past) }
        return contents
    }

    private func packager(at place: Int, _ id: RenditionID, _ state: inout State) -> RenditionPackager {
        if let packager = state.packagers[place] { return packager }
        let plans = state.plans
        let packager = RenditionPackager(
            plans[place],
            id: id,
            soundLanguage: plans.first { $0.carrier == place }?.language,
            encryption: configuration.encryption
        )
        state.packagers[place] = packager
        return packager
    }

    /// Says which renditions start elsewhere than the one that leads, and by how much.
    private func noteMisalignment(_ slot: Slot, _ state: inout State) {
        let plans = state.plans
        let positions = plans.map(\.position)
        let areInSync = { (a: Int, b: Int) in
            positions[a] == positions[b]
                || self.clocks.withLock { clocks in
                    let sharing = clocks.inputs(sharingWith: positions[a])
                    return sharing.isEmpty || sharing.contains(positions[b])
                }
        }
        for (place, news) in state.ladderWatch.observe(slot, areInSync: areInSync) {
            let plan = plans[place]
            report("\(state.renditions[place]?.name ?? "video"): \(news)", input: .input(plan.position))
        }
    }

    /// Puts on record what fills the renditions from this slot on, where that is something else than before.
    private func noteChanges(_ slot: Slot, _ published: PublishedSlot, _ state: inout State) {
        let number = slot.number
        if published.startsDiscontinuity {
            note(.discontinuity, "The decoder configuration of a rendition has changed.", slot: number)
        }
        for (place, cut) in slot.segments.enumerated() {
            // Sound that a video carries is its rendition's.
            let carrier = state.plans[place].carrier
            guard let cut, let rendition = state.renditions[carrier ?? place] else { continue }
            let subject = carrier == nil ? "it" : "its sound"
            let input = slot.sources[place].flatMap { self.input(of: place, rank: $0, state) }
            let now: OnAir =
                if let filler = cut.filler { .filler(filler) } else if cut.isGap { .gap } else if let input {
                    .input(input)
                } else { .nothing }
            let before = state.onAir[place]
            guard now != before else { continue }
            state.onAir[place] = now
            switch (before, now) {
            case (.nothing, .input), (_, .nothing): break
            case (.input(let old), .input(let new)):
                let isChosen = state.chosen.removeValue(forKey: place) == new
                let why = switchReason(from: old, to: new, isChosen: isChosen, isHeld: state.held[new.position] == new)
                note(
                    .switched,
                    "\(new) fills \(subject) instead of \(old). \(why)",
                    input: new,
                    rendition: rendition,
                    slot: number
                )
                logger.notice(
                    "input switched",
                    metadata: ["rendition": "\(rendition)", "from": "\(old)", "to": "\(new)", "why": "\(why)"]
                )
            case (_, .input(let new)):
                state.chosen[place] = nil
                note(
                    .media,
                    "There is media for \(subject) again, from \(new).",
                    input: new,
                    rendition: rendition,
                    slot: number
                )
                logger.notice("media is back", metadata: ["rendition": "\(rendition)", "input": "\(new)"])
            case (_, .filler(let filler)):
                note(.filler, "No input has media for \(subject): \(filler).", rendition: rendition, slot: number)
                logger.warning("no input has media", metadata: ["rendition": "\(rendition)", "shown": "\(filler)"])
            case (_, .gap):
                note(.gap, "No input has media for \(subject).", rendition: rendition, slot: number)
                logger.warning("no input has media", metadata: ["rendition": "\(rendition)", "slot": "\(number)"])
            }
        }
        let gaps = published.segments.values.count { $0.media == nil }
        logger.debug("slot published", metadata: ["slot": "\(number)", "gaps": "\(gaps)"])
    }

    /// Renditions are declared with their first media, and again when a decoder configuration has changed.
    private func declareRenditions(for slot: Slot, _ state: inout State) {
        let restored = state.restored
        let plans = state.plans
        let (renditions, declared) = (state.renditions, state.declaredSounds)
        let hasNew = slot.segments.indices.contains { index in
            slot.segments[index] != nil && renditions[index] == nil && plans[index].carrier == nil
                || restored[index] != nil && slot.segments[index]?.configuration != nil
                || plans[index].carrier != nil && slot.segments[index]?.configuration != nil
                    && !declared.contains(index)
        }
        guard hasNew || slot.startsDiscontinuity || state.mustDeclare else { return }
        state.mustDeclare = false
        let segmenter = state.segmenter
        let descriptions = RenditionPlan.describe(
            state.plans,
            configurations: state.plans.indices.map(segmenter.configuration),
            names: state.renditions,
            vacant: state.vacant,
            restored: restored.mapValues(\.description)
        )
        for (place, description) in descriptions.enumerated() where renditions[place] == nil {
            if let description { warnOfSlate(description) }
        }
        state.renditions = descriptions.map { $0?.id }
        for index in plans.indices where plans[index].carrier != nil && segmenter.configuration(of: index) != nil {
            state.declaredSounds.insert(index)
        }
        let written = descriptions.indices.filter { !state.unwritable.contains($0) }
        let declaredNow = written.compactMap { descriptions[$0] }
        presentation.declare(renditions: declaredNow)
        if hasNew { warnOfIdlePins(declaredNow) }
    }

    /// A name that is misspelt pins nothing; but what it is the name of may only be late.
    private func warnOfIdlePins(_ renditions: [RenditionDescription]) {
        let (pinned, leaders) = presentation.idlePins(among: renditions)
        guard !pinned.isEmpty else { return }
        logger.warning(
            "bandwidth is set for what no variant is named after so far",
            metadata: [
                "renditions": "\(pinned.map(\.name).joined(separator: ", "))",
                "variants": "\(leaders.map(\.name).joined(separator: ", "))",
            ]
        )
    }

    /// Says before it is needed that the slate cannot fill a rendition.
    private func warnOfSlate(_ rendition: RenditionDescription) {
        guard case .slate(let slate) = configuration.filler, let codec = rendition.codecs.first,
            let problem = slate.mismatch(with: rendition.kind, of: codec)
        else { return }
        report("\(rendition.id): \(problem)", input: .input(rendition.input))
    }

    /// What players may fetch before they need it: the keys of this crypto period and the next.
    private func sessionKeys(
        _ schedule: KeySchedule,
        _ number: MediaSequenceNumber,
        _ plans: [RenditionPlan]
    ) throws -> [EncryptionKey] {
        let current = schedule.period(of: number)
        let periods = schedule.slotsPerPeriod == nil ? [current] : [current, current.next]
        let kinds = [TrackKind.video, .audio].filter { kind in
            plans.contains { $0.kind == kind && $0.carrier == nil }
        }
        return try periods.flatMap { period in
            try kinds.compactMap { configuration.encryption.playlistKey(try schedule.keys(for: period, $0)) }
        }
    }
}
