import ContentProtection
import Logging
import MediaCore
import Playlists
import Presentation
import Timeline

/// From slots to what viewers get.
extension Channel {
    /// All inputs are open, or enough waited for: the channel's tracks are those that are there now.
    func start(_ state: inout State) {
        guard !state.opened.isEmpty else { return }
        var audio = configuration.audio.makeIterator()
        for (input, tracks) in state.opened.sorted(by: { $0.key < $1.key }) {
            var places: [Int] = []
            for track in tracks {
                let override = track.kind == .audio ? audio.next() : nil
                let plan = RenditionPlan(track, language: override?.language, name: override?.name)
                places.append(state.plans.count)
                state.plans.append(plan)
                state.packagers.append(
                    RenditionPackager(kind: plan.kind, language: plan.language, encryption: configuration.encryption)
                )
            }
            state.places[input] = places
        }
        for input in 0..<configuration.inputCount where state.opened[input] == nil {
            report("it did not open in time: the channel starts without it", input: input)
        }
        state.renditions = Array(repeating: nil, count: state.plans.count)
        state.segmenter = Segmenter(grid: configuration.grid, tracks: state.plans.map(\.kind))
    }

    func advance(_ state: inout State, to now: MediaTime) {
        guard !state.isEnded, let slots = state.segmenter?.timeAdvanced(to: now), !slots.isEmpty else { return }
        publish(slots, &state)
    }

    func publish(_ slots: [Slot], _ state: inout State) {
        for repair in state.segmenter?.takeRepairs() ?? [] { record(repair.rawValue) }
        for slot in slots where !state.isEnded {
            do {
                try publish(slot, &state)
            } catch {
                logger.critical("slot not published", metadata: ["slot": "\(slot.number)", "error": "\(error)"])
            }
        }
    }

    private func publish(_ slot: Slot, _ state: inout State) throws {
        declareRenditions(for: slot, &state)
        var segments: [RenditionID: PublishedSegment] = [:]
        for (index, cut) in slot.segments.enumerated() {
            guard let cut, let id = state.renditions[index] else { continue }
            do {
                segments[id] = try state.packagers[index].package(cut)
            } catch {
                // The other renditions and the slots to come must not suffer for it.
                record(RepairLog.unpublishableSegment)
                segments[id] = state.packagers[index].gap(cut)
            }
        }
        if let schedule = configuration.encryption.schedule {
            presentation.setSessionKeys(try sessionKeys(schedule, slot.number, state.plans))
        }
        try presentation.publish(
            PublishedSlot(
                number: slot.number,
                startsDiscontinuity: slot.startsDiscontinuity,
                segments: segments
            ),
            // What is read as fast as it can be has a time of its own to expire by.
            now: configuration.isPaced ? clock.now : configuration.grid.start(of: slot.number.next)
        )
        mirrorChanges()
        let gaps = segments.values.count { $0.media == nil }
        logger.debug("slot published", metadata: ["slot": "\(slot.number)", "gaps": "\(gaps)"])
    }

    /// Renditions are declared with their first media, and again when a decoder configuration has changed.
    private func declareRenditions(for slot: Slot, _ state: inout State) {
        let hasNew = slot.segments.indices.contains { slot.segments[$0] != nil && state.renditions[$0] == nil }
        guard hasNew || slot.startsDiscontinuity, let segmenter = state.segmenter else { return }
        let descriptions = RenditionPlan.describe(
            state.plans,
            configurations: state.plans.indices.map(segmenter.configuration),
            names: state.renditions
        )
        state.renditions = descriptions.map { $0?.id }
        presentation.declare(renditions: descriptions.compactMap(\.self))
    }

    /// What players may fetch before they need it: the keys of this crypto period and the next.
    private func sessionKeys(
        _ schedule: KeySchedule,
        _ number: MediaSequenceNumber,
        _ plans: [RenditionPlan]
    ) throws -> [EncryptionKey] {
        let current = schedule.period(of: number)
        let periods = schedule.slotsPerPeriod == nil ? [current] : [current, current.next]
        let kinds = [TrackKind.video, .audio].filter { kind in plans.contains { $0.kind == kind } }
        return try periods.flatMap { period in
            try kinds.compactMap { configuration.encryption.playlistKey(try schedule.keys(for: period, $0)) }
        }
    }

    func mirrorChanges() {
        guard let mirror else { return }
        if !mirror.apply({ presentation.takeChanges() }) { record(RepairLog.mirrorOverrun) }
    }
}
