import MediaCore
import Operations
import Testing

@testable import Timeline

@Suite struct InputHealthThresholdTests {
    private static func report(_ score: Int) -> InputHealth.Report {
        let reason = InputHealth.Reason(finding: .noPackets(MediaTime(seconds: 1)), deduction: 100 - score)
        return InputHealth.Report(
            score: score,
            reasons: score == 100 ? [] : [reason],
            bitrate: 0,
            lastKeyFrameAge: nil,
            continuityErrors: InputHealth.ErrorCount(lastMinute: 0, total: 0),
            timestampErrors: InputHealth.ErrorCount(lastMinute: 0, total: 0),
            isFrozen: false,
            isSilent: false,
            isConnected: true
        )
    }

    /// Observes a score every second and writes down what is told, with its second.
    private static func told(_ scores: [Int]) -> [String] {
        var threshold = InputHealthThreshold(low: 70, high: 85, hold: MediaTime(seconds: 3))
        return scores.enumerated().compactMap { second, score in
            threshold.observe(report(score), at: MediaTime(seconds: Int64(second))).map { "\(second) \($0.text)" }
        }
    }

    @Test(
        arguments: [
            ([100, 70, 100, 85, 70], []),
            ([100, 40, 0, 40], ["1 fell to 40: No packet has come for 1.0 s."]),
            ([0], ["0 fell to 0: No packet has come for 1.0 s."]),
            (
                [100, 69, 85, 85, 85, 85, 100],
                ["1 fell to 69: No packet has come for 1.0 s.", "5 recovered to 85"]
            ),
            // Neither between the two marks nor for an instant.
            ([100, 60, 84, 84, 84, 84, 84, 84], ["1 fell to 60: No packet has come for 1.0 s."]),
            ([100, 60, 100, 100, 60, 100, 100, 60], ["1 fell to 60: No packet has come for 1.0 s."]),
        ] as [([Int], [String])]
    )
    func aFallIsToldAtOnceAndARecoveryWhenItHasLasted(scores: [Int], expected: [String]) {
        #expect(Self.told(scores) == expected)
    }
}
