import MediaCore
import TestSupport
import Testing

@testable import Recording

@Suite struct PastRangeTests {
    @Test(arguments: [
        ("1764244800-1764248400", PastRange.span(start: 1_764_244_800, end: 1_764_248_400)),
        ("1764244800-", .span(start: 1_764_244_800, end: nil)), ("0-1", .span(start: 0, end: 1)),
        ("9-3", .span(start: 9, end: 3)), ("-30", .delayed(seconds: 30)),
    ])
    func aPathNamesARange(component: String, range: PastRange) {
        #expect(PastRange(component: component) == range)
        #expect(range.component == component)
    }

    @Test(arguments: [
        "", "-", "--", "1", "a-b", "01-2", "1-02", "1-2-3", "-0", "1.5-2", "+1-2", "1 -2", "１-2", "-1-2",
        "999999999999-1", "1-999999999999", "9223372036854775808-",
    ])
    func otherPathsNameNone(component: String) {
        #expect(PastRange(component: component) == nil)
    }

    @Test(arguments: [
        ("start=100&end=200", PastRange.span(start: 100, end: 200)),
        ("end=200&x=1&start=100", .span(start: 100, end: 200)),
        ("start=100", .span(start: 100, end: nil)), ("time-delay=30", .delayed(seconds: 30)),
        ("time_delay=30&token=x", .delayed(seconds: 30)),
        ("start=2025-11-27T12:00:00Z&end=2025-11-27T13:00:00%2B00:00", .span(start: 1_764_244_800, end: 1_764_248_400)),
        ("start=2025-11-27T12:00:00.4Z&end=2025-11-27T12:59:59.6Z", .span(start: 1_764_244_800, end: 1_764_248_400)),
        ("start=2025-11-27T14:00:00+02:00", .span(start: 1_764_244_800, end: nil)),
    ])
    func aQueryNamesARange(query: String, range: PastRange) throws {
        #expect(try PastRange(query: query[...]) == range)
        #expect(PastRange.mayBe(in: query[...]))
    }

    @Test(arguments: ["", "token=1", "started=1", "START=1", "ends=2&delay=3"])
    func otherQueriesNameNone(query: String) throws {
        #expect(try PastRange(query: query[...]) == nil)
        #expect(!PastRange.mayBe(in: query[...]))
    }

    @Test func noDelayIsNone() throws {
        #expect(try PastRange(query: "time-delay=0") == nil)
    }

    @Test(arguments: [
        ("end=100", PastRefusal.endWithoutStart), ("end=100&time-delay=3", .endWithoutStart),
        ("start=1&time-delay=3", .delayWithStart), ("start=1&end=2&time-delay=3", .delayWithStart),
        ("start=", .malformed),
        ("start=now", .malformed), ("start=-5", .malformed), ("start=1e9", .malformed), ("start=1&start=1", .malformed),
        ("start=1&end=", .malformed), ("start=%zz", .malformed), ("time-delay=-1", .malformed),
        ("time-delay=1.5", .malformed),
        ("start=999999999999", .malformed), ("start=1960-01-01T00:00:00Z", .malformed),
        ("start=2025-02-30T00:00:00Z", .malformed),
    ])
    func malformedQueriesAreRefused(query: String, refusal: PastRefusal) {
        #expect(throws: refusal) { try PastRange(query: query[...]) }
        #expect(refusal.isMalformed)
    }
}

@Suite struct PastSectionTests {
    private static let terms = PastTerms(
        segmentDuration: MediaTime(seconds: 4),
        targetDuration: 6,
        windowDuration: MediaTime(seconds: 28)
    )
    /// Slots from 4,000 s to 8,000 s.
    private static let extent = number(1000)..<number(2000)

    private static func number(_ value: Int64) -> MediaSequenceNumber { MediaSequenceNumber(value) }

    private static func section(
        _ range: String,
        at now: Int64,
        in extent: Range<MediaSequenceNumber>? = extent,
        _ terms: PastTerms = terms
    ) throws -> PastSection {
        let range = try #require(PastRange(component: range))
        return try PastSection(range, in: extent, terms, now: MediaTime(seconds: now))
    }

    private static func described(_ section: PastSection) -> String {
        "\(section.numbers.lowerBound)..<\(section.numbers.upperBound) \(section.phase)"
    }

    @Test(arguments: [
        // All of it is over, for long or only now.
        ("4000-4400", 8001, "1000..<1100 onDemand"), ("4001-4399", 8001, "1000..<1100 onDemand"),
        ("7600-8000", 8001, "1900..<2000 grown"), ("7600-8000", 8059, "1900..<2000 grown"),
        ("7600-8000", 8060, "1900..<2000 onDemand"), ("7999-8000", 8001, "1999..<2000 grown"),
        // The end is still to come.
        ("7600-9000", 8001, "1900..<2000 growing"), ("7600-", 8001, "1900..<2000 growing"),
        ("7600-8001", 8002, "1900..<2000 growing"),
        // What is missing at the end will not come.
        ("7600-8001", 8019, "1900..<2000 grown"), ("7600-8400", 8460, "1900..<2000 onDemand"),
        // The live stream of some time ago.
        ("-30", 8002, "1986..<1993 sliding"), ("-28", 8000, "1986..<1993 sliding"),
        ("-3990", 8001, "1000..<1002 sliding"),
    ])
    func aRangeListsItsSlots(range: String, now: Int64, expected: String) throws {
        #expect(Self.described(try Self.section(range, at: now)) == expected)
    }

    @Test(arguments: [
        ("4400-4000", PastRefusal.backwards), ("4400-4400", .backwards), ("4000-90401", .tooLong),
        ("1-315360000", .tooLong), ("8001-", .early), ("8002-8010", .early), ("99999999999-", .early),
        ("3999-4400", .beforeRecording(oldest: MediaTime(seconds: 4000))),
        ("0-1", .beforeRecording(oldest: MediaTime(seconds: 4000))), ("8000-8004", .nothingRecorded),
        ("-4200", .starting),
        ("-1209601", .tooLate), ("-1209600", .starting),
    ])
    func otherRangesAreRefused(range: String, refusal: PastRefusal) {
        #expect(throws: refusal) { try Self.section(range, at: 8001) }
    }

    @Test func withoutARecordingNothingIsThere() {
        for extent in [nil, Self.number(5)..<Self.number(5)] {
            #expect(throws: PastRefusal.nothingRecorded) { try Self.section("4000-4400", at: 8001, in: extent) }
            #expect(throws: PastRefusal.starting) { try Self.section("-30", at: 8001, in: extent) }
        }
    }

    @Test func aDelayedChannelShowsNothingSooner() throws {
        var terms = Self.terms
        terms.delay = MediaTime(seconds: 100)
        #expect(
            Self.described(try Self.section("7600-9000", at: 8001, in: Self.extent, terms)) == "1900..<1975 growing"
        )
        #expect(Self.described(try Self.section("-30", at: 8001, in: Self.extent, terms)) == "1968..<1975 sliding")
        #expect(Self.described(try Self.section("-200", at: 8001, in: Self.extent, terms)) == "1943..<1950 sliding")
        #expect(throws: PastRefusal.early) { try Self.section("7901-", at: 8001, in: Self.extent, terms) }
        #expect(throws: PastRefusal.nothingRecorded) { try Self.section("7900-", at: 8001, in: Self.extent, terms) }
    }

    @Test func theEndOfTheChannelEndsWhatGrows() throws {
        var terms = Self.terms
        terms.isEnded = true
        #expect(Self.described(try Self.section("7600-9000", at: 8001, in: Self.extent, terms)) == "1900..<2000 grown")
        #expect(Self.described(try Self.section("-30", at: 8001, in: Self.extent, terms)) == "1985..<1992 sliding")
        #expect(Self.described(try Self.section("-30", at: 8030, in: Self.extent, terms)) == "1993..<2000 slid")
    }

    /// Property: a playlist of a range, asked for again and again, only grows, keeps its head and its type, and ends once.
    @Test(arguments: 0..<300)
    func whatIsFollowedNeverBreaks(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var terms = Self.terms
        terms.segmentDuration = MediaTime(ticks: .random(in: 30_000...540_000, using: &random))
        terms.delay = MediaTime(seconds: Bool.random(using: &random) ? 0 : .random(in: 1...120, using: &random))
        let start = Int64.random(in: 10_000...20_000, using: &random)
        let range = PastRange.span(start: start, end: start + .random(in: 1...3000, using: &random))
        let first = MediaSequenceNumber(
            start * 90_000 / terms.segmentDuration.ticks - .random(in: 0...50, using: &random)
        )
        var (last, newest): (PastSection?, MediaSequenceNumber) = (nil, first)
        for now in stride(from: start, to: start + 4000, by: 7) {
            // A slot is recorded once it is over, or a little later.
            let time = now - Int64.random(in: 0...2, using: &random)
            newest = max(newest, MediaSequenceNumber(time * 90_000 / terms.segmentDuration.ticks))
            guard let section = try? PastSection(range, in: first..<newest, terms, now: MediaTime(seconds: now)) else {
                #expect(last == nil)
                continue
            }
            let isRight = !section.numbers.isEmpty && section.continues(last)
            #expect(isRight, "\(last.map(Self.described) ?? "") → \(Self.described(section)) at \(now)")
            last = section
        }
        #expect(last?.phase == .onDemand)
    }
}

extension PastSection {
    /// Returns true if players that have an earlier answer can go on with this one.
    fileprivate func continues(_ last: PastSection?) -> Bool {
        guard let last else { return true }
        guard numbers.lowerBound == last.numbers.lowerBound, numbers.upperBound >= last.numbers.upperBound else {
            return false
        }
        if last.phase != .growing, numbers != last.numbers || phase == .growing { return false }
        return last.phase != .onDemand || phase == .onDemand
    }
}
