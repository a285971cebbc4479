import Foundation
import MPEGTS
import MediaCore
import SCTE35
import Testing

@testable import Drills

/// The messages of encoders about their programme's breaks.
@Suite struct FeedBreakTests {
    private static let breaks = [FeedBreak(start: .seconds(8.3), end: .seconds(12.1), lead: .seconds(3))]

    /// The time of each section, and its contents.
    private func told(
        _ faults: [ScheduledFault] = [],
        from start: MediaTime = .zero,
        until end: MediaTime = .seconds(16)
    ) throws -> [(time: MediaTime, section: SpliceInfoSection)] {
        let configuration = FeedConfiguration(
            sample: try Sample.feed(),
            breaks: Self.breaks,
            schedule: FeedSchedule(faults)
        )
        var generator = FeedGenerator(configuration, utc: someUTC, from: start)
        var reader = SpliceSectionReader([.automatic])
        var found: [(MediaTime, SpliceInfoSection)] = []
        while let item = generator.next(), item.time < end {
            guard case .datagram(let datagram) = item else { continue }
            for section in reader.read(datagram.bytes.span.bytes) {
                found.append((item.time, try SpliceInfoSection(section.bytes.span.bytes)))
            }
        }
        return found
    }

    private func insert(_ section: SpliceInfoSection) throws -> SpliceInsert.Details {
        guard case .clear(.insert(let insert), _) = section.content else { throw CancellationError() }
        #expect(insert.eventID == 1)
        return try #require(insert.details)
    }

    @Test func eachIsToldTwiceAheadWithTheTimeOfAKeyFrame() throws {
        let told = try told()
        let details = try told.map { try insert($0.section) }
        #expect(details.map(\.isOut) == [true, true, false, false])
        let places = details.map { details -> UInt64? in
            if case .program(let time) = details.place { time } else { nil }
        }
        #expect(places[0] == places[1] && places[2] == places[3])
        let keys = try ReceivedFeed(until: .seconds(16)).units[Sample.video, default: []].filter(\.isKey)
            .map { UInt64($0.presentation & ((1 << 33) - 1)) }
        let (out, back) = (try #require(places[0]), try #require(places[2]))
        #expect(keys.contains(out) && keys.contains(back))
        #expect(details[0].duration?.ticks == back - out)
        let begin = UInt64((someUTC + .seconds(8.3)).ticks & ((1 << 33) - 1))
        #expect((0...180_000).contains(Int64(out) - Int64(begin)))
        #expect(told[1].time - told[0].time < .seconds(1.2) && told[1].time - told[0].time > .seconds(0.8))
    }

    @Test func whoStartsLaterTellsTheSameAndWhoIsDeadNothing() throws {
        let whole = try told()
        let later = try told(from: .seconds(7))
        #expect(later.map(\.section) == whole.suffix(2).map(\.section))
        let killed = ScheduledFault(.encoderKilled, at: .seconds(7), for: .seconds(4))
        #expect(try told([killed]).map(\.section) == whole.prefix(2).map(\.section))
    }

    @Test func subtitlesAreWrittenAheadInTimesOfDay() {
        let text = SubtitleSource.text(at: 86_400 * 3 + 3_661)
        #expect(text.hasPrefix("WEBVTT\n\n01:00:40.000 --> 01:00:42.000\nIt is 01:00:40.\n"))
        #expect(text.contains("\n01:01:06.000 --> 01:01:08.000\n"))
    }
}
