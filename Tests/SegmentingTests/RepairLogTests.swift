import MediaCore
import Testing
import Timeline

@testable import Segmenting

@Suite struct RepairLogTests {
    private static func due(_ log: inout RepairLog, at seconds: Int64) -> [String] {
        log.due(at: MediaTime(seconds: seconds)).map { "\($0.kind) \($0.count)" }
    }

    @Test func aKindIsReportedAtOnceAndThenOnceAMinute() {
        var log = RepairLog()
        #expect(Self.due(&log, at: 0).isEmpty)
        log.record("b")
        log.record("a", count: 2)
        #expect(Self.due(&log, at: 10) == ["a 2", "b 1"])
        log.record("a", count: 40)
        #expect(Self.due(&log, at: 69).isEmpty)
        log.record("a")
        #expect(Self.due(&log, at: 70) == ["a 41"])
        #expect(Self.due(&log, at: 200).isEmpty)
        #expect(log.totals == ["a": 43, "b": 1])
    }

    @Test func aKindThatWasQuietIsReportedAtOnceAgain() {
        var log = RepairLog()
        log.record("a")
        _ = Self.due(&log, at: 0)
        log.record("a")
        #expect(Self.due(&log, at: 500) == ["a 1"])
    }

    @Test func adviceIsGivenTheFirstTimeOfEachKindAndInput() {
        var log = RepairLog()
        var isFirst: [Bool] = []
        for second: Int64 in [0, 60, 120] {
            log.record("a", of: .input(0))
            if second > 0 { log.record("b", of: .input(0)) }
            isFirst += log.due(at: MediaTime(seconds: second)).map(\.isFirst)
        }
        #expect(isFirst == [true, false, true, false, false])
    }

    @Test func eachInputIsReportedByItself() {
        var log = RepairLog()
        log.record("a", of: .input(0), because: "refused")
        log.record("a", of: .backup(0, inputCount: 1), because: "unreachable")
        log.record("a", of: .input(0), because: "timed out")
        let due = log.due(at: .zero).map { "\($0.input?.description ?? "") \($0.count) \($0.reason ?? "")" }
        #expect(due == ["backup-1 1 unreachable", "input-1 2 timed out"])
        #expect(log.totals == ["a": 3])
    }

    @Test(
        arguments: TimelineRepair.allCases.map(\.rawValue) + CutRepair.allCases.map(\.rawValue) + RepairLog.kinds
    )
    func everyKindIsExplained(kind: String) {
        let advice = RepairAdvice(on: kind)
        #expect(advice.what != kind && advice.viewers != "unknown" && !advice.remedy.isEmpty)
    }
}
