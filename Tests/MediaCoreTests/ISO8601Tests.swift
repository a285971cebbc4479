import MediaCore
import Testing

@Suite struct ISO8601Tests {
    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"),
        (1_795_248_000_000, "2026-11-21T08:00:00.000Z"),
        (951_782_399_999, "2000-02-28T23:59:59.999Z"),
        (951_782_400_000, "2000-02-29T00:00:00.000Z"),
        (951_868_800_000, "2000-03-01T00:00:00.000Z"),
        (1_709_164_800_000, "2024-02-29T00:00:00.000Z"),
        (1_740_787_200_000, "2025-03-01T00:00:00.000Z"),
        (4_107_542_399_000, "2100-02-28T23:59:59.000Z"),
        (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
        (1_798_761_599_999, "2026-12-31T23:59:59.999Z"),
        (-1, "1969-12-31T23:59:59.999Z"),
        (-2_203_891_200_000, "1900-03-01T00:00:00.000Z"),
        (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
    ])
    func millisecondsSince1970AreACivilDate(milliseconds: Int64, text: String) {
        #expect(MediaTime(milliseconds: milliseconds).iso8601 == text)
        #expect(MediaTime(iso8601: text) == MediaTime(milliseconds: milliseconds))
    }

    @Test(arguments: [
        (44, "1970-01-01T00:00:00.000Z"), (45, "1970-01-01T00:00:00.001Z"), (134, "1970-01-01T00:00:00.001Z"),
        (135, "1970-01-01T00:00:00.002Z"), (-45, "1970-01-01T00:00:00.000Z"), (-46, "1969-12-31T23:59:59.999Z"),
        (89_999_999, "1970-01-01T00:16:40.000Z"),
    ])
    func ticksRoundHalfUpToMilliseconds(ticks: Int64, text: String) {
        #expect(MediaTime(ticks: ticks).iso8601 == text)
    }

    @Test func everyDayOfFourCenturiesFollowsTheOneBefore() {
        var (year, month, day) = (1970, 1, 1)
        for count in 0..<Int64(146_097) {
            let lengths = [
                31, year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30,
                31,
            ]
            let text = MediaTime(seconds: count * 86_400).iso8601
            guard text.hasPrefix("\(year)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)T00:") else {
                Issue.record("day \(count) is \(text)")
                return
            }
            day += 1
            if day > lengths[month - 1] { (month, day) = (month + 1, 1) }
            if month > 12 { (year, month) = (year + 1, 1) }
        }
        #expect((year, month, day) == (2370, 1, 1))
    }

    @Test(arguments: [
        ("2026-11-21T09:30:00.5+01:30", 1_795_248_000_500), ("2026-11-21T08:00:00Z", 1_795_248_000_000),
        ("2026-11-21T03:00:00.000-0500", 1_795_248_000_000), ("2026-11-21T10:00:00.000+02", 1_795_248_000_000),
        ("2016-12-31T23:59:60Z", 1_483_228_800_000),
    ])
    func zonesAndFractionsAreRead(text: String, milliseconds: Int64) {
        #expect(MediaTime(iso8601: text)?.milliseconds == milliseconds)
    }

    @Test(arguments: [
        "", "2026", "2026-11-21", "2026-11-21T08:00:00", "2026-11-21T08:00:00.000z", "2026-02-29T08:00:00Z",
        "2026-13-01T08:00:00Z", "2026-00-01T08:00:00Z", "2026-04-31T08:00:00Z", "2026-01-00T08:00:00Z",
        "2026-11-21T24:00:00Z", "2026-11-21T08:60:00Z", "2026-11-21T08:00:61Z", "2026-11-21 08:00:00Z",
        "2026-11-21T08:00:00Z ", "2026-11-21T08:00:00+", "2026-11-21T08:00:00+1", "2026-11-21T08:00:00+01:",
        "+026-11-21T08:00:00Z", "２026-11-21T08:00:00Z",
    ])
    func anythingElseIsNoDate(text: String) {
        #expect(MediaTime(iso8601: text) == nil)
    }
}
