import MediaCore
import Playlists
import Presentation
import SCTE35
import SegmentingSupport
import Testing
import Timeline

@testable import Channels
@testable import Segmenting

/// Splices of a feed from its sections to playlists; times are milliseconds from the epoch on, and timestamps are UTC.
@Suite struct ChannelSpliceTests {
    private let feed = ChannelFeed(base: Epoch.time.ticks % ChannelFeed.modulus)

    private func section(_ isOut: Bool, at milliseconds: Int64) throws -> [UInt8] {
        let time = UInt64(Epoch.at(milliseconds).ticks % ChannelFeed.modulus)
        let details = SpliceInsert.Details(isOut: isOut, place: .program(time))
        return try SpliceInfoSection(.insert(SpliceInsert(eventID: 7, details: details))).bytes()
    }

    private func ranges(_ fixture: ChannelFixture) throws -> [DateRange] {
        try MediaPlaylist(parsing: try #require(fixture.text("video-180p.m3u8"))).allDateRanges
    }

    /// The break is longer than the window: what has told of it is gone when the channel begins again, and ends it.
    @Test func aBreakOutlastsItsSegmentAndARestart() throws {
        let fixtures = (0..<2).map { _ in ChannelFixture(source: .pts) }
        let inputs = fixtures.map { $0.channel.makeInput(.input(0), pace: .live) }
        feed.open(inputs[0])
        feed.sendLive(0..<6_000, at: 0, to: inputs[0], of: fixtures[0])
        let out = try section(true, at: 13_000)
        inputs[0].inputReceivedSplice(out.span.bytes, program: nil, shift: 0)
        feed.sendLive(6_000..<61_000, at: 6_000, to: inputs[0], of: fixtures[0])
        let told = try ranges(fixtures[0])
        #expect(told.map(\.spliceOut) == [out])
        #expect(told.first?.start == Epoch.at(13_000))

        fixtures[1].clock.set(Epoch.at(61_000))
        #expect(fixtures[1].channel.restore(fixtures[0].left) > 0)
        #expect(try ranges(fixtures[1]) == told)
        feed.open(inputs[1])
        let back = try section(false, at: 70_000)
        for (fixture, input) in zip(fixtures, inputs) {
            feed.sendLive(61_000..<62_000, at: 61_000, to: input, of: fixture)
            input.inputReceivedSplice(back.span.bytes, program: nil, shift: 0)
            feed.sendLive(62_000..<75_000, at: 62_000, to: input, of: fixture)
            let now = try ranges(fixture)
            #expect(now.problems.isEmpty)
            #expect(now.first == told.first && now.count == 2)
            #expect(now.last?.duration == MediaTime(seconds: 57))
            #expect(now.last?.spliceIn == back)
        }
    }

    /// A feed that is looped, or whose timestamps were moved some other way, is told of at its new time.
    @Test func aSectionMovesWithItsFeed() throws {
        let fixture = ChannelFixture(source: .pts)
        let input = fixture.channel.makeInput(.input(0), pace: .live)
        feed.open(input)
        feed.sendLive(0..<6_000, at: 0, to: input, of: fixture)
        let out = try section(true, at: 3_000)
        input.inputReceivedSplice(out.span.bytes, program: nil, shift: 900_000)
        feed.sendLive(6_000..<18_000, at: 6_000, to: input, of: fixture)
        let range = try #require(try ranges(fixture).first)
        #expect(range.start == Epoch.at(13_000))
        let bytes = try #require(range.spliceOut)
        let section = try SpliceInfoSection(bytes.span.bytes)
        #expect(section.adjustment == 900_000)
    }

    @Test func whatCannotBeReadIsCounted() throws {
        let fixture = ChannelFixture(source: .pts)
        let input = fixture.channel.makeInput(.input(0), pace: .live)
        feed.open(input)
        var damaged = try section(true, at: 13_000)
        damaged[12] ^= 1
        input.inputReceivedSplice(damaged.span.bytes, program: nil, shift: 0)
        let far = try section(true, at: 3_600_000)
        input.inputReceivedSplice(far.span.bytes, program: nil, shift: 0)
        feed.sendLive(0..<18_000, at: 0, to: input, of: fixture)
        #expect(try ranges(fixture).isEmpty)
        let totals = fixture.channel.engine.watches.repairs.totals
        #expect(totals["unreadableSplice"] == 1 && totals["implausibleSplice"] == 1)
    }
}
