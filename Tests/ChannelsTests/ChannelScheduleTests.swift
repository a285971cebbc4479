import MediaCore
import Operations
import Playlists
import SegmentingSupport
import Testing
import Timeline

@testable import Channels
@testable import Segmenting

/// Schedules of people and programs, on both members of a pair.
@Suite struct ChannelScheduleTests {
    private static let english = SubtitleAttributes(language: "en", name: "English", isDefault: true)

    private static func pair() -> SchedulePair {
        SchedulePair {
            ChannelFixture(source: .pts, subtitles: [english], scheduleLead: SchedulePair.lead)
        }
    }

    private static func cues(_ text: String, _ start: MediaTime, lasting milliseconds: Int64) -> ScheduleAction.Content
    {
        let end = start + MediaTime(milliseconds: milliseconds)
        return .cues(language: "en", [ScheduledCue(start: start, end: end, payload: "\n\(text)")])
    }

    private func vtt(_ number: Int64, of member: ChannelFixture) -> String {
        member.text("text-en/\(Epoch.slot.value + number).vtt") ?? ""
    }

    /// The moment within a slot does not matter, nor which of them it is posted to.
    @Test(arguments: [0, 1], [5_000, 5_800, 6_900, 7_000, 7_960] as [Int64])
    func whatOneAcceptsBothShow(member: Int, moment: Int64) throws {
        let pair = Self.pair()
        pair.send(until: moment)
        let start = pair.earliest(of: member)
        let outcomes = pair.accept(Self.cues("now", start, lasting: 2_000), by: member)
        guard case .slot(let slot, start) = outcomes.first else {
            Issue.record("\(outcomes)")
            return
        }
        pair.send(until: 21_000)
        try pair.expectSame()
        #expect(vtt(slot.value - Epoch.slot.value, of: pair.members[1 - member]).contains("\nnow\n"))
        #expect(!vtt(slot.value - Epoch.slot.value - 1, of: pair.members[member]).contains("now"))
    }

    /// A clock has finer ticks than the whole milliseconds of playlists and requests.
    @Test(arguments: 1...9 as ClosedRange<Int64>)
    func nowIsAcceptedAtAnyMoment(tenths: Int64) throws {
        let pair = Self.pair()
        pair.send(until: 5_000)
        let now = Epoch.at(5_000) + MediaTime(tenths, timescale: 10_000)
        for member in pair.members { member.clock.set(now) }
        let earliest = pair.earliest(of: 0)
        let start = MediaTime(milliseconds: earliest.milliseconds)
        #expect(start == earliest && start >= now + SchedulePair.lead)
        let outcomes = pair.accept(.metadata([1], at: start), by: 0)
        guard case .slot = outcomes.first else {
            Issue.record("\(outcomes)")
            return
        }
    }

    @Test func whatBeginsBeforeBothHaveItBeginsThen() throws {
        let pair = Self.pair()
        pair.send(until: 5_000)
        let (now, earliest) = (Epoch.at(5_000), pair.earliest(of: 0))
        #expect(earliest == now + SchedulePair.lead)
        #expect(
            pair.accept(Self.cues("long", now, lasting: 6_000), by: 0) == [
                .slot(Epoch.slot.advanced(by: 2), at: earliest)
            ]
        )
        #expect(
            pair.accept(Self.cues("short", now, lasting: 3_000), by: 1) == [.refused(.overForPair(before: earliest))]
        )
        pair.send(until: 21_000)
        try pair.expectSame()
        #expect(!vtt(1, of: pair.members[0]).contains("long") && vtt(2, of: pair.members[0]).contains("long"))
    }

    /// A restart forgets nothing that is for later, and says nothing twice.
    @Test func aMemberThatIsKilledHasWhatWasAcceptedBefore() throws {
        let pair = Self.pair()
        pair.send(until: 5_000)
        _ = pair.accept(Self.cues("soon", Epoch.at(11_000), lasting: 4_000), by: 0)
        _ = pair.accept(Self.cues("later", Epoch.at(18_000), lasting: 1_000), by: 1)
        pair.send(until: 13_000)
        try pair.restart(1)
        pair.send(until: 25_000)
        // It has no media of the slot in which it came back.
        try pair.expectSame("text-en")
        #expect(vtt(3, of: pair.members[1]).contains("soon") && vtt(4, of: pair.members[1]).contains("later"))
    }

    /// A peer that was silent for too long.
    @Test func whatCameTooLateToAgreeIsOnRecord() throws {
        let fixture = ChannelFixture(source: .pts, subtitles: [Self.english], scheduleLead: SchedulePair.lead)
        let feed = ChannelFeed(base: Epoch.time.ticks % ChannelFeed.modulus)
        let input = fixture.channel.makeInput(.input(0), pace: .live)
        feed.open(input)
        feed.sendLive(0..<13_000, at: 0, to: input, of: fixture)
        let late = ScheduleAction(
            Self.cues("late", Epoch.at(9_000), lasting: 30_000),
            accepted: Epoch.at(6_000),
            effective: Epoch.at(9_000)
        )
        fixture.channel.merge([late])
        let event = try #require(fixture.channel.events.entries().last)
        #expect(event.event.kind == .peer && event.event.message.contains("3000 ms too late"), "\(event)")
        feed.sendLive(13_000..<17_000, at: 13_000, to: input, of: fixture)
        #expect(vtt(3, of: fixture).contains("late"))
    }

    @Test func withoutAPeerNothingWaits() {
        let fixture = ChannelFixture(source: .pts, subtitles: [Self.english])
        #expect(fixture.channel.earliest(at: Epoch.at(5_000)) == Epoch.at(5_000))
        let outcomes = fixture.channel.accept([Self.cues("x", Epoch.at(1), lasting: 1_000)], at: Epoch.at(0))
        #expect(outcomes == [[.slot(Epoch.slot, at: Epoch.at(1))]])
    }

    /// Viewers have what there is; "now" is where that ends, and is never refused.
    @Test func ofAFeedThatIsAheadNowIsTheNextSegment() {
        let fixture = ChannelFixture(source: .pts, subtitles: [Self.english])
        let feed = ChannelFeed(base: Epoch.time.ticks % ChannelFeed.modulus)
        let input = fixture.channel.makeInput(.input(0), pace: .live)
        feed.open(input)
        feed.sendLive(0..<13_000, at: 0, to: input, of: fixture)
        let earliest = fixture.channel.earliest(at: Epoch.at(6_000))
        let outcomes = fixture.channel.accept([Self.cues("x", earliest, lasting: 1_000)], at: Epoch.at(6_000))
        #expect(outcomes.flatMap(\.self).allSatisfy { !$0.isRefusal }, "\(outcomes)")
    }
}
