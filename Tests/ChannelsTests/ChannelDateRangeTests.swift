import Foundation
import MediaCore
import Operations
import Playlists
import Presentation
import SCTE35
import SegmentingSupport
import TestSupport
import Testing

@testable import Channels
@testable import Segmenting

/// Date ranges of people and programs, in the playlists of both members of a pair.
@Suite struct ChannelDateRangeTests {
    private static let english = SubtitleAttributes(language: "en", name: "English", isDefault: true)

    private static func pair(lead: MediaTime = SchedulePair.lead) -> SchedulePair {
        SchedulePair { ChannelFixture(source: .pts, subtitles: [english], scheduleLead: lead) }
    }

    private static func range(
        _ id: String,
        _ start: Int64,
        lasting duration: Int64? = nil,
        of className: String? = nil,
        endsOnNext: Bool = false
    ) -> DateRange {
        var range = DateRange(id: id, start: Epoch.at(start), duration: duration.map { MediaTime(milliseconds: $0) })
        (range.className, range.endsOnNext) = (className, endsOnNext)
        return range
    }

    private static func action(_ range: DateRange, announcedAt announcement: Int64? = nil) -> ScheduleAction.Content {
        .dateRange(range, announcement: announcement.map { Epoch.at($0) } ?? range.start ?? .zero)
    }

    /// A break of five seconds.
    private static func splice(_ event: UInt32, at time: Int64) throws -> ScheduleAction.Content {
        let place = SpliceInsert.Place.program(UInt64(Epoch.at(time).ticks) & (1 << 33 - 1))
        let duration = BreakDuration(ticks: 450_000, returnsByItself: true)
        let details = SpliceInsert.Details(isOut: true, place: place, duration: duration)
        let section = SpliceInfoSection(.insert(SpliceInsert(eventID: event, details: details)))
        return .splice(try section.bytes(), at: Epoch.at(time))
    }

    private func playlist(_ pair: SchedulePair, _ member: Int = 0) throws -> MediaPlaylist {
        try MediaPlaylist(parsing: try #require(pair.members[member].text("video-180p.m3u8")))
    }

    private func tags(_ pair: SchedulePair, _ member: Int = 0) throws -> [String] {
        try playlist(pair, member).allDateRanges.map(\.text)
    }

    @Test func aRangeIsToldWithTheSlotThatTheAnswerNames() throws {
        let pair = Self.pair()
        pair.send(until: 5_000)
        let outcome = pair.accept(Self.action(Self.range("a", 17_000, lasting: 2_000), announcedAt: 10_000), by: 1)
        #expect(outcome == [.slot(Epoch.slot.advanced(by: 2), at: Epoch.at(17_000))])
        pair.send(until: 9_000)
        #expect(try tags(pair).isEmpty)
        pair.send(until: 21_000)
        try pair.expectSame()
        let text = try #require(pair.members[0].text("text-en.m3u8"))
        let before = try #require(text.components(separatedBy: "#EXT-X-DATERANGE").first)
        #expect(before.contains("/\(Epoch.slot.value + 1).vtt") && text.contains("#EXT-X-DATERANGE:ID=\"a\""))
        for name in ["video-180p", "audio"] {
            #expect(pair.members[1].text("\(name).m3u8")?.contains("#EXT-X-DATERANGE:ID=\"a\"") == true, "\(name)")
        }
    }

    /// One that nobody has ended stays as long as it lasts, then as long as it reaches into the window.
    @Test func aRangeIsListedAsLongAsItOverlapsTheWindow() throws {
        let pair = Self.pair()
        pair.send(until: 5_000)
        _ = pair.accept(Self.action(Self.range("open", 9_000, of: "c")), by: 0)
        pair.send(until: 61_000)
        let first = try #require(try playlist(pair).segments.first?.programDateTime)
        #expect(first > Epoch.at(30_000), "the slot that told of it has left the window")
        #expect(try tags(pair) == [#"ID="open",CLASS="c",START-DATE="\#(Epoch.at(9_000).iso8601)""#])
        let outcome = pair.accept(.withdrawal(id: "open", start: .zero), by: 1)
        guard case .slot(_, let end)? = outcome.first else {
            Issue.record("\(outcome)")
            return
        }
        #expect(end == Epoch.at(64_000))
        pair.send(until: 73_000)
        try pair.expectSame()
        #expect(try tags(pair).count == 2)
        #expect(try playlist(pair).allDateRanges.problems.isEmpty)
        #expect(try playlist(pair).allDateRanges.end(of: "open") == end)
        pair.send(until: 105_000)
        #expect(try tags(pair).isEmpty)
        try pair.expectSame()
    }

    @Test func oneWithEndOnNextIsListedUntilTheNextOfItsClassHasBegun() throws {
        let pair = Self.pair()
        pair.send(until: 5_000)
        _ = pair.accept(Self.action(Self.range("one", 9_000, of: "c", endsOnNext: true)), by: 0)
        pair.send(until: 41_000)
        #expect(try tags(pair).count == 1)
        _ = pair.accept(Self.action(Self.range("two", 45_000, of: "c", endsOnNext: true)), by: 1)
        pair.send(until: 53_000)
        #expect(try tags(pair).count == 2)
        // Players know which one follows.
        let between = pair.accept(Self.action(Self.range("between", 40_000, of: "c")), by: 0)
        guard case .refused(.brokenRange)? = between.first else {
            Issue.record("\(between)")
            return
        }
        pair.send(until: 85_000)
        #expect(try playlist(pair).allDateRanges.map(\.id) == ["two"])
        try pair.expectSame()
    }

    @Test func rangeGainsAttributesAndChangesNone() throws {
        let pair = Self.pair()
        pair.send(until: 5_000)
        var range = Self.range("a", 13_000, of: "c")
        range.custom = [.init(name: "X-ONE", value: .string("one"))]
        _ = pair.accept(Self.action(range), by: 0)
        pair.send(until: 9_000)
        var other = DateRange(id: "a")
        other.custom = [.init(name: "X-ONE", value: .string("two"))]
        #expect(pair.accept(.update(other), by: 1) == [.refused(.alteredRange(["X-ONE"]))])
        other.custom = [.init(name: "X-ONE", value: .string("one"))]
        #expect(pair.accept(.update(other), by: 1) == [.refused(.nothingNew)])
        #expect(pair.accept(.update(DateRange(id: "b")), by: 1) == [.refused(.noRange("b"))])
        #expect(pair.accept(Self.action(Self.range("a", 50_000)), by: 1) == [.refused(.rangeExists("a"))])
        other.custom.append(.init(name: "X-TWO", value: .number("2")))
        other.plannedDuration = MediaTime(seconds: 10)
        pair.send(until: 17_000)
        let late = pair.accept(.update(other), by: 1)
        #expect(late == [.slot(Epoch.slot.advanced(by: 5), at: Epoch.at(13_000))])
        pair.send(until: 29_000)
        try pair.expectSame()
        #expect(
            try tags(pair) == [
                #"ID="a",CLASS="c",START-DATE="\#(Epoch.at(13_000).iso8601)",X-ONE="one""#,
                #"ID="a",START-DATE="\#(Epoch.at(13_000).iso8601)",PLANNED-DURATION=10.000,X-TWO=2"#,
            ]
        )
    }

    @Test func withdrawnRangeIsNeverAnnounced() throws {
        let pair = Self.pair()
        pair.send(until: 5_000)
        _ = pair.accept(Self.action(Self.range("a", 60_000)), by: 0)
        pair.send(until: 9_000)
        #expect(pair.accept(.withdrawal(id: "a", start: .zero), by: 1) == [.withdrawn])
        #expect(pair.accept(.withdrawal(id: "a", start: .zero), by: 1) == [.refused(.noRange("a"))])
        pair.send(until: 11_000)
        try pair.restart(0)
        pair.send(until: 73_000)
        for member in 0...1 { #expect(try tags(pair, member).isEmpty) }
        try pair.expectSame("text-en")
    }

    @Test func whatCannotBeToldIsRefusedInWords() throws {
        let pair = Self.pair()
        pair.send(until: 9_000)
        let refusals: [(ScheduleAction.Content, String)] = [
            (Self.action(Self.range("past", 1_000, lasting: 2_000)), "it ends before"),
            (Self.action(Self.range("year", 31_536_000_000)), "more than 24 hours from now"),
            (Self.action(Self.range("alone", 20_000, endsOnNext: true)), "END-ON-NEXT needs a CLASS"),
        ]
        for (content, words) in refusals {
            guard case .refused(let reason)? = pair.accept(content, by: 0).first else {
                Issue.record("\(content) is accepted")
                continue
            }
            #expect("\(reason)".contains(words), "\(reason)")
        }
        _ = pair.accept(Self.action(Self.range("a", 20_000, lasting: 9_000, of: "c")), by: 0)
        let overlapping = pair.accept(Self.action(Self.range("b", 22_000, of: "c", endsOnNext: true)), by: 0)
        #expect(overlapping.first?.isRefusal == true)
        let many = (0..<1_000).map { Self.action(Self.range("\($0)", 30_000)) }
        let outcomes = pair.members[0].channel.accept(many, at: pair.members[0].clock.now).flatMap(\.self)
        #expect(outcomes.count { $0.isRefusal } == 1_000 - 255 && outcomes.last == .refused(.tooMany))
    }

    /// A range that was taken back before anybody was told never was; its ID is free at once.
    @Test func theIDOfWhatWasTakenBackIsFree() throws {
        let pair = Self.pair()
        pair.send(until: 5_000)
        _ = pair.accept(Self.action(Self.range("a", 41_000, of: "c"), announcedAt: 37_000), by: 0)
        #expect(pair.accept(.withdrawal(id: "a", start: .zero), by: 1) == [.refused(.noRange("a"))])
        pair.send(until: 7_000)
        #expect(pair.accept(.withdrawal(id: "a", start: .zero), by: 1) == [.withdrawn])
        pair.send(until: 9_000)
        let again = pair.accept(Self.action(Self.range("a", 21_000, of: "d"), announcedAt: 17_000), by: 0)
        #expect(again == [.slot(Epoch.slot.advanced(by: 3), at: Epoch.at(21_000))])
        pair.send(until: 45_000)
        try pair.expectSame()
        #expect(try tags(pair) == [#"ID="a",CLASS="d",START-DATE="\#(Epoch.at(21_000).iso8601)""#])
    }

    /// One member has forgotten what has left the playlists, and gives the ID to another range: both tell it.
    @Test func anIDThatOneMemberHasForgottenIsGivenAgain() throws {
        let pair = Self.pair()
        pair.send(until: 5_000)
        _ = pair.accept(Self.action(Self.range("a", 9_000, lasting: 2_000)), by: 0)
        pair.send(until: 133_000)
        #expect(try tags(pair).isEmpty)
        try pair.restart(0)
        let range = Self.action(Self.range("a", 145_000, lasting: 4_000))
        #expect(pair.accept(range, by: 1) == [.refused(.rangeExists("a"))])
        #expect(pair.accept(range, by: 0).first?.isRefusal == false)
        pair.send(until: 149_000)
        let expected = [#"ID="a",START-DATE="\#(Epoch.at(145_000).iso8601)",DURATION=4.000"#]
        #expect(try tags(pair, 0) == expected)
        #expect(try tags(pair, 1) == expected)
    }

    /// Both show the same, whatever is posted to either, whenever, and whichever is killed meanwhile.
    @Test(arguments: 0..<8)
    func aPairThatIsToldAllKindsOfThingsStaysIdentical(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let pair = Self.pair()
        var time: Int64 = 0
        var count = 0
        while time < 70_000 {
            time += Int64.random(in: 120...2_500, using: &random)
            pair.send(until: time)
            let member = Int.random(in: 0...1, using: &random)
            let start = time + Int64.random(in: -2_000...16_000, using: &random)
            let id = "\(Int.random(in: 0..<12, using: &random))"
            count += 1
            switch Int.random(in: 0..<7, using: &random) {
            case 0:
                let cue = ScheduledCue(start: Epoch.at(start), end: Epoch.at(start + 3_000), payload: "\ncue \(count)")
                _ = pair.accept(.cues(language: "en", [cue]), by: member)
            case 1, 2:
                let isOpen = Bool.random(using: &random)
                let range = Self.range(
                    id,
                    start,
                    lasting: isOpen ? nil : 4_000,
                    of: ["c", "d"].randomElement(using: &random),
                    endsOnNext: isOpen && Bool.random(using: &random)
                )
                _ = pair.accept(Self.action(range, announcedAt: start - 3_000), by: member)
            case 3:
                var update = DateRange(id: id)
                update.custom = [.init(name: "X-N", value: .number("\(count)"))]
                _ = pair.accept(.update(update), by: member)
            // Of a break that begins in the slot in which a member comes back, the two have another first sample.
            case 4 where time < 50_000: _ = pair.accept(try Self.splice(UInt32(count), at: start), by: member)
            case 5: _ = pair.accept(.metadata(Array("ID3".utf8) + [UInt8(count)], at: Epoch.at(start)), by: member)
            default: _ = pair.accept(.withdrawal(id: id, start: .zero), by: member)
            }
        }
        pair.send(until: 80_000)
        try pair.expectSame()
        let told = try playlist(pair).allDateRanges
        #expect(told.problems.filter { $0.reason != .overlaps } == [], "\(told.map(\.text))")
        try pair.restart(Int.random(in: 0...1, using: &random))
        pair.send(until: 90_000)
        #expect(try tags(pair, 0) == tags(pair, 1))
        // A member that was killed has no media of the slot in which it came back, and its boundary is the plan's.
        pair.send(until: 120_000)
        try pair.expectSame()
    }
}
