import MediaCore
import Operations
import TestSupport
import Testing

@testable import Segmenting

/// The small values that the engine is made of.
@Suite struct EngineValueTests {
    private static func report(_ message: String) -> ChannelEngine.Action {
        .report(.record(ChannelEvent(time: .zero, channel: "a", kind: .gap, message: message)))
    }

    @Test func onlyReportsAfterAMarkAreTaken() {
        var outbox = Outbox()
        outbox.emit(Self.report("before"))
        let count = outbox.count
        outbox.emit(Self.report("after"))
        let taken = outbox.takeReports(after: count)
        #expect(taken.count == 1)
        let left = outbox.takeActions()
        #expect(left.count == 1)
        #expect(outbox.count == 0)
    }

    @Test func decisionsLeaveInOrder() {
        var outbox = Outbox()
        outbox.hold(.declare([], isNew: false), decidedAt: .zero)
        #expect(!outbox.hasDecided)
        outbox.hold(.slots([]), decidedAt: .zero)
        #expect(outbox.hasDecided)
        #expect(!outbox.isEnded)
        outbox.hold(.end, decidedAt: .zero)
        #expect(outbox.isEnded)
        let released = outbox.release(2)
        #expect(released.count == 2)
        if case .end? = outbox.waiting.first?.step {} else { Issue.record("The end does not wait") }
    }

    @Test func aChoiceHoldsUntilTheNext() {
        let (input, backup) = (InputID.input(0), InputID.backup(0, inputCount: 1))
        var choices = InputChoices()
        choices.select(backup, holds: true, by: "a client")
        #expect(choices.heldInputs == [backup])
        #expect(choices.isHeld(backup))
        #expect(choices.sentence(on: backup, holds: true) == "Chosen by a client through the control API, and held.")
        choices.select(input, holds: false, by: nil)
        #expect(choices.held(at: 0) == nil)
        choices.select(backup, holds: true, by: nil)
        choices.selectAutomatically()
        #expect(choices.heldInputs.isEmpty)
    }

    @Test func aChoiceThatIsKeptIsNotThatOfAClient() {
        let (input, backup) = (InputID.input(0), InputID.backup(0, inputCount: 1))
        var choices = InputChoices()
        choices.keep(backup)
        #expect(choices.heldInputs == [backup])
        let kept = "Held by an operator since before the channel was changed or handed over."
        #expect(choices.sentence(on: backup, holds: true) == kept)
        choices.select(input, holds: true, by: nil)
        #expect(choices.sentence(on: input, holds: true) == "Chosen through the control API, and held.")
    }

    @Test func inputsAreLookedAfterFourTimesASecond() {
        var watches = Watches()
        let due = [0, 249, 250, 499, 500].map { watches.isDue(at: MediaTime(milliseconds: $0)) }
        #expect(due == [false, false, true, false, true])
    }

    @Test func refusalsAreToldWhereTheyChange() {
        var watches = Watches()
        let condition = FailureCondition.allCases[0]
        let changes = [[], [condition], [condition], []].map { watches.refused(for: $0) }
        #expect(changes == [false, true, false, true])
    }
}
