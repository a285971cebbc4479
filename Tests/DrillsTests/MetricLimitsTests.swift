import Testing

@testable import Drills

struct MetricLimitsTests {
    @Test(arguments: [
        (Metric.gap, "0", MetricLimits(.gap, atLeast: 0, atMost: 0)),
        (.gap, "at most 2.5 s", MetricLimits(.gap, atMost: 2.5)),
        (.gap, "at most 2.5", MetricLimits(.gap, atMost: 2.5)),
        (.switches, "at least 1", MetricLimits(.switches, atLeast: 1)),
        (.switches, "2", MetricLimits(.switches, atLeast: 2, atMost: 2)),
        (.detection, "at most 1500 ms", MetricLimits(.detection, atMost: 1500)),
        (.recovery, "2 to 4 s", MetricLimits(.recovery, atLeast: 2, atMost: 4)),
        (.playlistAge, "at most 1.5 target durations", MetricLimits(.playlistAge, atMost: 1.5)),
    ])
    func limitsAreRead(metric: Metric, text: String, expected: MetricLimits) throws {
        #expect(try MetricLimits(metric, limits: text) == expected)
    }

    @Test(
        arguments: Metric.allCases,
        ["", "soon", "3 to 2", "-1", "at most", "at most 2 minutes", "nan", "at least -1"]
    )
    func otherTextIsRefused(metric: Metric, text: String) {
        #expect(throws: MetricLimits.MalformedLimits.self) { try MetricLimits(metric, limits: text) }
    }

    @Test func aMeasuredTimeIsNeverExact() {
        #expect(throws: MetricLimits.MalformedLimits(metric: .gap)) { try MetricLimits(.gap, limits: "4 s") }
    }

    @Test(arguments: [
        (MetricLimits(.gap, atMost: 2), 2.0, true), (MetricLimits(.gap, atMost: 2), 2.001, false),
        (MetricLimits(.gap, atLeast: 2), 1.999, false), (MetricLimits(.gap, atLeast: 0, atMost: 0), 0, true),
        (MetricLimits(.gap, atMost: 2), nil, false),
    ])
    func whatWasNotMeasuredIsNotMet(limits: MetricLimits, value: Double?, isMet: Bool) {
        #expect(limits.isMet(by: value) == isMet)
    }

    @Test(arguments: ["0 s", "at most 2.5 s", "at least 1 s", "2 to 4 s"])
    func limitsAreWrittenAsTheyAreRead(text: String) throws {
        #expect(try MetricLimits(.gap, limits: text).text == text)
    }

    @Test(arguments: [
        (0.0, 2, "0"), (1.5, 2, "1.5"), (-0.126, 2, "-0.13"), (1234, 0, "1234"), (2.999, 2, "3"), (-0.001, 2, "0"),
    ])
    func numbersHaveNoUselessDigits(value: Double, places: Int, text: String) {
        #expect(Decimals.text(value, places: places) == text)
    }
}
