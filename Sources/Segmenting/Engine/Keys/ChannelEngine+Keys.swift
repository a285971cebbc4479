import ContentProtection
import MediaCore
import Playlists
import Timeline

/// The keys of slots and their parts, and the treatment of those whose key is late.
///
/// A slot is filled without regard to keys. The decisions wait here, in order, for their keys.
extension ChannelEngine {
    /// A decision that is carried out once the keys of all decisions up to it are there.
    struct Waiting: Sendable {
        var step: Step
        var decidedAt: MediaTime

        enum Step: Sendable {
            /// Every slot from the next on has these renditions, in the order in which players see them; `isNew` is
            /// true if some were not there before.
            case declare([RenditionDescription], isNew: Bool)
            case part(PartDecision)
            case slots([SlotDecision])
            case end
        }
    }

    /// True if slots are held back until their keys are there.
    package var isWaitingForKeys: Bool { !outbox.waiting.isEmpty }

    /// Publishes decided slots as soon as their keys are there.
    mutating func publish(_ decisions: [SlotDecision]) {
        if let last = decisions.last { requestKeys(for: last.number) }
        act(.slots(decisions))
    }

    /// Requests the keys of the first slot in advance.
    mutating func requestFirstKeys() {
        guard configuration.isPaced, !outbox.hasDecided else { return }
        let slot = configuration.grid.slot(at: now)
        // Samples that have come, and slots that were cut while a peer is waited for, need the keys of their slot,
        // which may be over.
        if joining == nil, !segmenter.tracks.contains(where: \.hasSamples) { keys.timeline?.forget(before: slot) }
        requestKeys(for: slot)
    }

    /// Asks for the keys that a slot needs, and for the keys of the next periods.
    private mutating func requestKeys(for slot: MediaSequenceNumber) {
        let used = keyClassesInUse
        for request in keys.timeline?.requests(for: slot, of: used, at: now) ?? [] { emit(.requestKeys(request)) }
    }

    mutating func keysArrived(_ references: [KeyClass: [KeyReference]], in period: CryptoPeriod) {
        for keyClass in KeyClass.allCases {
            guard let known = references[keyClass], keys.timeline?.arrived(known, of: keyClass, in: period) == true,
                let outage = keys.outages[keyClass], outage.effect == .none, outage.period == period
            else { continue }
            endTrouble(of: keyClass, in: period)
        }
        announceKeys()
    }

    mutating func keysFailed(_ reason: String, in period: CryptoPeriod) {
        let used = keyClassesInUse
        for keyClass in KeyClass.allCases where keys.timeline?.failed(reason, of: keyClass, in: period) == true {
            // A key that no rendition needs may be missing; before there are renditions, any key may be needed.
            if used.isEmpty || used.contains(keyClass) { note(.none, of: keyClass, in: period, slot: nil) }
        }
    }

    /// Carries out the decisions whose keys are known or no longer waited for.
    ///
    /// Declarations before a slot are carried out together with it.
    mutating func releaseWaiting() {
        var count = 0
        for (index, item) in outbox.waiting.enumerated() {
            switch item.step {
            case .slots(let decisions):
                guard let protected = protect(decisions, item) else { return release(count) }
                outbox.protect(index, .slots(protected))
            case .part(let part):
                guard let protected = protect(part, item) else { return release(count) }
                outbox.protect(index, .part(protected))
            default: continue
            }
            count = index + 1
        }
        release(outbox.waiting.count)
    }

    /// Names the keys of slots; a decision for several slots has only gaps, and needs none.
    ///
    /// - Returns: Nil if the slots are to wait.
    private mutating func protect(_ decisions: [SlotDecision], _ waiting: Waiting) -> [SlotDecision]? {
        guard let last = decisions.last, let periods = keys.periods else { return decisions }
        let period = periods.period(of: last.number)
        var verdicts: [KeyClass: ChannelKeys.Verdict] = [:]
        for keyClass in Set(decisions.flatMap(\.classesOfMedia)) {
            verdicts[keyClass] = keys.verdict(
                on: keyClass,
                in: last.number,
                period,
                decidedAt: waiting.decidedAt,
                now: now
            )
        }
        let late = KeyClass.allCases.filter { if case .waits? = verdicts[$0] { true } else { false } }
        guard late.isEmpty else {
            // The first slot of a feed exists at the request for its keys.
            guard now >= waiting.decidedAt + keys.patience else { return nil }
            for keyClass in late { note(.held, of: keyClass, in: period, slot: last.number) }
            return nil
        }
        for keyClass in KeyClass.allCases {
            if let verdict = verdicts[keyClass] { carryOut(verdict, of: keyClass, in: period, slot: last.number) }
        }
        keys.forget(through: last.number)
        return decisions.map { decision in
            var decision = decision
            for index in decision.segments.indices where decision.segments[index].needsKey {
                let verdict = decision.segments[index].keyClass.flatMap { verdicts[$0] }
                if case .protected(let references)? = verdict {
                    decision.segments[index].contents.protection = .keys(references)
                } else {
                    decision.segments[index].contents.protection = .missing
                }
            }
            var slotKeys = keys.slotKeys(at: decision.number, periods)
            slotKeys.sessionKeys = keys.sessionKeys(at: decision.number, of: decision.keyClasses, periods)
            decision.keys = slotKeys
            decision.waited = now - waiting.decidedAt
            return decision
        }
    }

    /// Names the keys of a part; its slot and the other parts have the same.
    ///
    /// - Returns: Nil if the part is to wait.
    private mutating func protect(_ part: PartDecision, _ waiting: Waiting) -> PartDecision? {
        guard part.form.kind.isProtected, !part.cut.isGap, let periods = keys.periods else { return part }
        var part = part
        part.contents.protection = .missing
        guard let keyClass = part.keyClass else { return part }
        let number = part.cut.number
        let period = periods.period(of: number)
        requestKeys(for: number)
        let verdict = keys.verdict(on: keyClass, in: number, period, decidedAt: waiting.decidedAt, now: now)
        switch verdict {
        case .waits:
            if now >= waiting.decidedAt + keys.patience { note(.held, of: keyClass, in: period, slot: number) }
            return nil
        case .protected(let references): part.contents.protection = .keys(references)
        case .lost: break
        }
        if keys.settled[number]?[keyClass] == nil { carryOut(verdict, of: keyClass, in: period, slot: number) }
        keys.settled[number, default: [:]][keyClass] = verdict
        return part
    }

    private mutating func carryOut(
        _ verdict: ChannelKeys.Verdict,
        of keyClass: KeyClass,
        in period: CryptoPeriod,
        slot: MediaSequenceNumber
    ) {
        switch verdict {
        case .protected(let references) where references == keys.timeline?.keys(of: keyClass, in: period):
            keys.timeline?.use(references, of: keyClass, in: period)
            if let outage = keys.outages[keyClass], outage.period <= period { endTrouble(of: keyClass, in: period) }
        case .protected: note(.reused, of: keyClass, in: period, slot: slot)
        case .lost: note(.gaps, of: keyClass, in: period, slot: slot)
        case .waits: break
        }
    }

    /// Announces known keys at once if a channel continues from an earlier window.
    private mutating func announceKeys() {
        guard configuration.isPaced, !outbox.hasDecided, let periods = keys.periods else { return }
        let classes = renditions.compactMap { rendition in
            rendition.id.flatMap { id in rendition.keyClass.map { (id, $0) } }
        }
        guard !classes.isEmpty else { return }
        // Feeds are late: the next slot may be of an earlier crypto period than this moment.
        let current = configuration.grid.slot(at: now)
        let slot = segmenter.next.map { min($0, current) } ?? current
        let announcement = ledger.announce(
            keys.slotKeys(at: slot, periods),
            at: slot,
            of: Dictionary(classes) { first, _ in first }
        )
        noteHints(of: announcement)
        emit(.announceKeys(announcement))
    }
}

extension ChannelEngine.SlotDecision {
    /// The key classes of segments that have media.
    fileprivate var classesOfMedia: [KeyClass] { segments.filter(\.needsKey).compactMap(\.keyClass) }
}

extension ChannelEngine.SlotDecision.Segment {
    /// True if it must not be published in the clear.
    fileprivate var needsKey: Bool { form.kind.isProtected && !contents.cut.isGap }
}
