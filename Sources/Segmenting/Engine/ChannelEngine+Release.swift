import MediaCore
import Operations
import Playlists

/// The engine's exit: decisions are completed with facts about earlier publications, and leave in order.
extension ChannelEngine {
    /// Carries out the oldest decisions, in order.
    mutating func release(_ count: Int) {
        var parts: [PartDecision] = []
        for item in outbox.release(count) {
            if case .part(let part) = item.step {
                parts.append(passOn(part))
                continue
            }
            emit(parts)
            parts = []
            switch item.step {
            case .slots(let decisions):
                var completed = complete(decisions)
                completed[completed.count - 1].notes += deferred { $0.leaveAbandoned() }
                emit(.publish(completed))
            case .declare(let renditions, let isNew): ledger.declare(renditions, isNew: isNew)
            case .part: break
            case .end: emit(.end)
            }
        }
        emit(parts)
    }

    private mutating func emit(_ parts: [PartDecision]) {
        if parts.isEmpty { return }
        for part in ledger.complete(parts) { emit(.publishPart(part)) }
    }

    /// Completes slots that are published now, and reports their effect on viewers.
    private mutating func complete(_ decisions: [SlotDecision]) -> [SlotDecision] {
        var decisions = ledger.complete(passOn(decisions))
        for (index, decision) in decisions.enumerated() {
            decisions[index].notes = deferred { $0.noteMedia(of: decision) } + decision.notes
        }
        for index in decisions.indices where decisions[index].startsDiscontinuity {
            let number = decisions[index].number
            decisions[index].notes = deferred { $0.noteDiscontinuity(number) } + decisions[index].notes
        }
        if let announcement = decisions.last?.announcement {
            decisions[0].notes = deferred { $0.noteHints(of: announcement) } + decisions[0].notes
        }
        return decisions
    }

    private mutating func noteDiscontinuity(_ slot: MediaSequenceNumber) {
        note(
            .discontinuity,
            "The format changes here: players reset their decoders (EXT-X-DISCONTINUITY).",
            slot: slot
        )
    }

    /// Reports, once a crypto period, that playlists announce the next keys.
    mutating func noteHints(of announcement: KeyAnnouncement) {
        guard let firstUse = ledger.news(of: announcement) else { return }
        note(
            .keys,
            "The next keys are known, and announced: the first segment that needs one begins at \(firstUse.iso8601).",
            severity: .info
        )
    }
}
