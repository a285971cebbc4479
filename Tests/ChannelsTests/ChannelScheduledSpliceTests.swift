import MediaCore
import NIOCore
import Operations
import Playlists
import Presentation
import SCTE35
import SegmentingSupport
import TestSupport
import Testing
import Timeline

@testable import Channels
@testable import Inspection
@testable import Segmenting

/// Splices and ID3 of people and programs, on both members of a pair.
@Suite struct ChannelScheduledSpliceTests {
    private static func pair(_ format: StreamFormat = .fmp4) -> SchedulePair {
        SchedulePair { ChannelFixture(source: .pts, format: format, scheduleLead: SchedulePair.lead) }
    }

    private static func splice(
        _ event: UInt32,
        at time: Int64,
        isOut: Bool = true,
        lasting seconds: UInt64? = nil
    ) throws -> ScheduleAction.Content {
        let utc = Epoch.at(time)
        var details = SpliceInsert.Details(isOut: isOut, place: .program(UInt64(utc.ticks) & (1 << 33 - 1)))
        details.duration = seconds.map { BreakDuration(ticks: $0 * 90_000, returnsByItself: true) }
        let section = SpliceInfoSection(.insert(SpliceInsert(eventID: event, details: details)))
        return .splice(try section.bytes(), at: utc)
    }

    private func tags(_ pair: SchedulePair, _ member: Int = 0) throws -> [DateRange] {
        try MediaPlaylist(parsing: try #require(pair.members[member].text("video-180p.m3u8"))).allDateRanges
    }

    /// The moment does not matter, nor which of them it is posted to.
    @Test(arguments: [0, 1], [5_000, 7_040, 8_000, 8_960, 9_800] as [Int64])
    func aBreakThatOneAcceptsBothTell(member: Int, moment: Int64) throws {
        let pair = Self.pair()
        pair.send(until: moment)
        let outcome = pair.accept(try Self.splice(7, at: 13_000, lasting: 10), by: member)
        guard case .slot(let slot, let time)? = outcome.first, time == Epoch.at(13_000) else {
            Issue.record("\(outcome)")
            return
        }
        #expect(slot == Epoch.slot.advanced(by: 3))
        pair.send(until: 33_000)
        try pair.expectSame()
        let tags = try tags(pair)
        #expect(tags.map(\.start) == [Epoch.at(13_000), Epoch.at(13_000)], "\(tags.map(\.text))")
        #expect(tags.first?.spliceOut != nil && tags.last?.spliceIn != nil)
        #expect(tags.last?.duration == MediaTime(seconds: 10))
        let playlist = try MediaPlaylist(parsing: try #require(pair.members[0].text("video-180p.m3u8")))
        #expect(playlist.segments.contains { abs(($0.programDateTime - Epoch.at(13_000)).milliseconds) <= 1_000 })
    }

    @Test func aMemberThatIsKilledTellsItsBreakAllTheSame() throws {
        let pair = Self.pair()
        pair.send(until: 5_000)
        _ = pair.accept(try Self.splice(7, at: 21_000), by: 0)
        _ = pair.accept(try Self.splice(7, at: 29_000, isOut: false), by: 1)
        pair.send(until: 9_000)
        try pair.restart(0)
        pair.send(until: 25_000)
        try pair.restart(1)
        pair.send(until: 45_000)
        let tags = try [tags(pair, 0), tags(pair, 1)]
        #expect(tags[0] == tags[1])
        #expect(tags[0].map { $0.spliceOut != nil } == [true, false], "\(tags[0].map(\.text))")
        #expect(tags[0].last?.spliceIn != nil && tags[0].last?.duration == MediaTime(seconds: 8))
    }

    /// The same event anew, of which an earlier run has told before.
    @Test func aRestartKnowsWhoHasToldOfABreak() throws {
        let pair = Self.pair()
        pair.send(until: 5_000)
        _ = pair.accept(try Self.splice(7, at: 13_000), by: 0)
        pair.send(until: 25_000)
        try pair.restart(1)
        _ = pair.accept(try Self.splice(7, at: 41_000), by: 0)
        pair.send(until: 49_000)
        let tags = try [tags(pair, 0), tags(pair, 1)]
        #expect(tags[0] == tags[1])
        #expect(tags[0].count == 3, "\(tags[0].map(\.text))")
        // The way back is from the later one.
        try pair.restart(1)
        _ = pair.accept(try Self.splice(7, at: 57_000, isOut: false), by: 0)
        pair.send(until: 65_000)
        for member in 0...1 {
            let back = try self.tags(pair, member).filter { $0.spliceIn != nil }
            #expect(back.map(\.start) == [Epoch.at(41_000)])
        }
    }

    @Test func whatCannotBeSplicedIsRefusedInWords() throws {
        let pair = Self.pair()
        pair.send(until: 9_000)
        let earliest = Epoch.at(12_000).iso8601
        let refusals: [(ScheduleAction.Content, String)] = [
            (try Self.splice(7, at: 8_000), "it lies before \(earliest), the earliest possible time"),
            (try Self.splice(7, at: 11_000), "it lies before \(earliest), the earliest possible time"),
            (try Self.splice(7, at: 700_000), "more than 10 minutes from now"),
            (try Self.splice(7, at: 31_536_000_000), "more than 10 minutes from now"),
            (.splice([0xFC, 0x30], at: Epoch.at(20_000)), "its section cannot be read"),
            (
                .splice(try SpliceInfoSection(.null).bytes(), at: Epoch.at(20_000)),
                "has no splice that playlists announce"
            ),
        ]
        for (content, words) in refusals {
            guard case .refused(let reason)? = pair.accept(content, by: 0).first else {
                Issue.record("\(content) is accepted")
                continue
            }
            #expect("\(reason)".contains(words), "\(reason)")
        }
        let many = try (0..<1_000).map { try Self.splice(UInt32($0), at: 20_000 + Int64($0) * 10) }
        let outcomes = pair.members[0].channel.accept(many, at: pair.members[0].clock.now).flatMap(\.self)
        #expect(outcomes.count { !$0.isRefusal } == 128 && outcomes.last == .refused(.tooMany))
        pair.send(until: 41_000)
        try pair.expectSame()
    }

    @Test(arguments: [StreamFormat.fmp4, .ts])
    func aTagIsInEveryRenditionAtItsTime(format: StreamFormat) throws {
        let pair = Self.pair(format)
        pair.send(until: 5_000)
        let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 3, 1, 2, 3]
        let outcome = pair.accept(.metadata(tag, at: Epoch.at(13_500)), by: 1)
        #expect(outcome == [.slot(Epoch.slot.advanced(by: 3), at: Epoch.at(13_500))])
        // Another one of the same moment, to the other.
        _ = pair.accept(.metadata(tag + [], at: Epoch.at(13_500)), by: 0)
        pair.send(until: 9_000)
        if format == .fmp4 { try pair.restart(0) }
        pair.send(until: 25_000)
        // A member that was killed has no media of the slot in which it came back.
        let window = pair.members[1].presentation.saved
        let names = window.renditions.map(\.id.name)
        for name in names {
            for number in 2...4 as ClosedRange<Int64> {
                let suffix = format == .fmp4 ? "m4s" : "ts"
                let path = "\(name)/\(Epoch.slot.value + number).\(suffix)"
                let bytes = try #require(pair.members[1].bytes(path), "\(path)")
                if number > 2 { #expect(pair.members[0].bytes(path) == bytes, "\(path)") }
                #expect(Self.hasTag(tag, in: bytes, format) == (number == 3), "\(path)")
            }
        }
    }

    /// The feed is away when it is due: it is not lost, and an event shows its author where it is.
    @Test(arguments: [StreamFormat.fmp4, .ts])
    func aTagThatIsDueInAGapGoesWithTheNextSegment(format: StreamFormat) throws {
        let fixture = ChannelFixture(source: .pts, format: format)
        let feed = ChannelFeed(base: Epoch.time.ticks % ChannelFeed.modulus)
        let input = fixture.channel.makeInput(.input(0), pace: .live)
        feed.open(input)
        feed.sendLive(0..<10_000, at: 0, to: input, of: fixture)
        let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 3, 1, 2, 3]
        let outcome = fixture.channel.accept([.metadata(tag, at: Epoch.at(13_500))], at: fixture.clock.now)
        #expect(outcome == [[.slot(Epoch.slot.advanced(by: 3), at: Epoch.at(13_500))]])
        fixture.wait(until: 22_000)
        feed.sendLive(22_000..<33_000, at: 22_000, to: input, of: fixture)
        for rendition in fixture.presentation.snapshot().renditions {
            let segments = rendition.segments.filter { $0.sequence >= Epoch.slot.advanced(by: 3) }
            #expect(segments.first?.isGap == true)
            let media = segments.filter { !$0.isGap }
            #expect(media.count > 1)
            for segment in media {
                let suffix = format == .fmp4 ? "m4s" : "ts"
                let path = "\(rendition.id.name)/\(segment.sequence.value).\(suffix)"
                let bytes = try #require(fixture.bytes(path), "\(path)")
                #expect(Self.hasTag(tag, in: bytes, format) == (segment.sequence == media.first?.sequence), "\(path)")
            }
        }
        let gap = fixture.channel.events.entries().map(\.event).first { $0.message.contains("move to the next") }
        #expect(gap?.kind == .gap && gap?.slot == Epoch.slot.advanced(by: 3))
    }

    /// The answer is where it would be then: it is its time that holds.
    @Test func aTagStaysAtItsTimeWhereASpliceMovesTheEdge() throws {
        let pair = Self.pair()
        pair.send(until: 5_000)
        let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 3, 1, 2, 3]
        let outcome = pair.accept(.metadata(tag, at: Epoch.at(12_500)), by: 0)
        #expect(outcome == [.slot(Epoch.slot.advanced(by: 3), at: Epoch.at(12_500))])
        _ = pair.accept(try Self.splice(7, at: 13_000), by: 1)
        pair.send(until: 21_000)
        try pair.expectSame()
        for number in 1...4 as ClosedRange<Int64> {
            let bytes = try #require(pair.members[0].bytes("video-180p/\(Epoch.slot.value + number).m4s"))
            #expect(Self.hasTag(tag, in: bytes, .fmp4) == (number == 2))
        }
    }

    private static func cancellation(_ event: UInt32, at time: Int64) throws -> ScheduleAction.Content {
        let section = SpliceInfoSection(.insert(SpliceInsert(eventID: event, details: nil)))
        return .splice(try section.bytes(), at: Epoch.at(time))
    }

    /// A cue that was heard once is not heard again from the saved plan.
    @Test func aRestartDoesNotTellWhatWasTakenBack() throws {
        let pair = Self.pair()
        pair.send(until: 5_000)
        #expect(pair.accept(try Self.splice(7, at: 41_000), by: 0).first?.isRefusal == false)
        pair.send(until: 9_000)
        #expect(pair.accept(try Self.cancellation(7, at: 13_000), by: 1).first?.isRefusal == false)
        pair.send(until: 25_000)
        try pair.restart(1)
        pair.send(until: 49_000)
        #expect(try tags(pair, 0).isEmpty)
        #expect(try tags(pair, 1).isEmpty)
    }

    /// Ways back of nothing, one event number of several breaks, and what is taken back.
    @Test(arguments: 0..<12)
    func nonsenseIsToldAlikeAfterARestart(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let pair = Self.pair()
        var time: Int64 = 5_000
        pair.send(until: time)
        var told = [Set<String>(), []]
        func listen() throws {
            for member in 0...1 { told[member].formUnion(try tags(pair, member).map(\.text)) }
        }
        while time < 90_000 {
            time += Int64.random(in: 1...4, using: &random) * 1_000
            pair.send(until: time)
            // Key frames come every second: a rendition without one in a slot still begins at the exact sample.
            let at = time + Int64.random(in: 3...20, using: &random) * 1_000
            let event = UInt32.random(in: 0..<3, using: &random)
            let content =
                switch Int.random(in: 0..<6, using: &random) {
                case 0, 1: try Self.splice(event, at: at)
                case 2: try Self.splice(event, at: at, lasting: UInt64.random(in: 2...12, using: &random))
                case 3, 4: try Self.splice(event, at: at, isOut: false)
                default: try Self.cancellation(event, at: at)
                }
            _ = pair.accept(content, by: Int.random(in: 0...1, using: &random))
            if Int.random(in: 0..<8, using: &random) == 0 {
                try pair.restart(Int.random(in: 0...1, using: &random))
            }
            try listen()
        }
        // One that comes back is late with the slot that it has missed.
        for _ in 0..<4 {
            time += 4_000
            pair.send(until: time)
            try listen()
        }
        #expect(told[0].symmetricDifference(told[1]) == [])
        #expect(told[0].count > 10)
    }

    /// Returns true if a segment has the tag, as a reader of its format finds it.
    private static func hasTag(_ tag: [UInt8], in bytes: ByteBuffer, _ format: StreamFormat) -> Bool {
        guard format == .ts else { return Array(bytes.readableBytesView).contains(tag) }
        let stream = ParsedTransportStream(bytes)
        let metadata = stream.map?.streams.first { $0.type == 0x15 }
        return metadata.map { Array(stream.elementaryStream($0.pid).readableBytesView).contains(tag) } ?? false
    }
}
