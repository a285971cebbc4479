import Foundation
import Testing

@testable import Drills

struct MeasurementsTests {
    private static let whole = "mmmmmmmmmmmmmmmm"

    @Test func nothingIsMeasuredWhereNothingHappens() {
        let measured = Measurements(of: .sample(video: Self.whole))
        let expected: [Metric: Double] = [
            .gap: 0, .videoGap: 0, .audioGap: 0, .filler: 0, .discontinuities: 0, .stall: 0, .recovery: 0, .switches: 0,
            .jump: 0, .violations: 0, .sequenceReuse: 0, .ranges: 0, .openRanges: 0,
        ]
        #expect(measured.values == expected)
    }

    @Test func aGapIsThatOfTheRenditionThatHasLeast() {
        let measured = Measurements(of: .sample(video: "mmmmmmmmmgggmmmm", audio: "mmmmmmmmmgmmmmmm"))
        #expect(measured[.gap] == 3)
        #expect(measured[.videoGap] == 3)
        #expect(measured[.audioGap] == 1)
    }

    @Test func whatWasBeforeZeroDoesNotCount() {
        var record = DrillRecord.sample(video: "gGMmmmmmmmmmmmmm")
        record.events = [.init(time: -10, source: "packager-1", kind: "switched", message: "")]
        record.player.jumps = [.init(time: -10, length: 500)]
        record.ages = [.init(time: -1, rendition: "video-360p", age: 9000)]
        record.player.stalls = [Span(-900, -100)]
        let measured = Measurements(of: record)
        for metric in [Metric.gap, .discontinuities, .switches, .jump, .stall] { #expect(measured[metric] == 0) }
        #expect(measured[.playlistAge] == nil)
    }

    @Test func breaksAreMeasuredAgainstSegmentsOfVideo() {
        var record = DrillRecord.sample(video: Self.whole)
        record.ranges = [
            .init(id: "0", start: -500, end: 300, listed: -1_000),
            .init(id: "1", start: 2_000, end: 5_030, listed: 1_000),
            .init(id: "2", start: 7_000, listed: 6_000),
        ]
        let measured = Measurements(of: record)
        #expect(measured[.ranges] == 2 && measured[.openRanges] == 1)
        #expect(measured[.spliceDistance] == 30)
    }

    @Test func discontinuitiesAreThoseOfOneRendition() {
        #expect(Measurements(of: .sample(video: "mmmmmmmmMmmMmmmm"))[.discontinuities] == 2)
    }

    @Test func detectionIsTheFirstSignThatAnybodySees() {
        var record = DrillRecord.sample(video: "mmmmmmmmmgggmmmm")
        #expect(Measurements(of: record)[.detection] == 1200)
        #expect(Measurements(of: record).faults.first?.sign == "gap in video-360p")
        record.events = [
            .init(time: 4900, source: "packager-1", kind: "switched", message: "before"),
            .init(time: 5100, source: "packager-1", kind: "media", message: "no sign"),
            .init(time: 5900, source: "packager-1", kind: "input-health", input: "input-1", message: "no bits"),
        ]
        #expect(Measurements(of: record)[.detection] == 900)
        #expect(Measurements(of: record).faults.first?.sign == "input-health")
    }

    @Test func recoveryIsFromTheFaultsEndToMediaAfterTheLastGap() {
        // The last gap ends at 9, so media is listed at 10.2; the fault ended at 8.
        #expect(Measurements(of: .sample(video: "mmmmmmmmmggggmmm"))[.recovery] == 2.2)
        #expect(Measurements(of: .sample(video: "mmmmmmmmmgggmmmm", audio: "mmmmmmmmmggggmmm"))[.recovery] == 2.2)
    }

    @Test func whatNeverCameBackHasNoRecovery() {
        let measured = Measurements(of: .sample(video: "mmmmmmmmmggggggg"))
        #expect(measured[.recovery] == nil)
        #expect(measured.faults.map(\.recovery) == [nil])
    }

    /// A stream that stands still lists no gap either.
    @Test func aStreamThatEndsHasNoRecovery() {
        for (video, audio) in [("mmmmmmmmmm", "mmmmmmmmmm"), (Self.whole, "mmmmmmmmmm"), ("mmmmmmmmmm", Self.whole)] {
            let measured = Measurements(of: .sample(video: video, audio: audio))
            #expect(measured[.recovery] == nil && measured.faults.map(\.recovery) == [nil])
        }
        // A rendition may give way to another of its kind.
        var record = DrillRecord.sample(video: Self.whole)
        record.renditions.append(.init(name: "video-72p", isVideo: true, slots: DrillRecord.slots("mmmm")))
        #expect(Measurements(of: record)[.recovery] == 0)
    }

    @Test func withoutEventsSwitchesAndFillersAreNotKnown() {
        var record = DrillRecord.sample(video: Self.whole)
        record.hasEvents = false
        let measured = Measurements(of: record)
        #expect(measured[.switches] == nil && measured[.filler] == nil && measured[.gap] == 0)
    }

    @Test func eachFaultHasTheTimeUntilTheNext() {
        var record = DrillRecord.sample(video: "mmmmmmmmmgmmmggm")
        record.parts[1].faults = [.init(title: "timestamp-jump", start: 8500, end: nil, isInstant: true)]
        let outcomes = Measurements(of: record).faults
        #expect(outcomes.map(\.part) == ["input-1", "backup-1"])
        #expect(outcomes.map(\.detection) == [1200, 1700])
        #expect(outcomes.map(\.recovery) == [0, 3700])
    }

    @Test func aPlayerThatNeverBeginsStallsAllTheTime() {
        var record = DrillRecord.sample(video: Self.whole)
        record.player.started = nil
        #expect(Measurements(of: record)[.stall] == 12)
        record.player.started = 2500
        record.player.stalls = [Span(3000, 4000), Span(3500, 5000)]
        #expect(Measurements(of: record)[.stall] == 4.5)
    }

    @Test func whoeverOnlyLooksOnWaitsForTheStart() {
        var record = DrillRecord.sample(video: Self.whole)
        record.span = Span(0, 12_000)
        record.player.started = 2500
        #expect(Measurements(of: record)[.stall] == 0)
    }

    @Test func renditionsThatSwitchTogetherSwitchOnce() {
        var record = DrillRecord.sample(video: Self.whole)
        record.events = ["video-360p", "audio-eng"].flatMap { rendition in
            [6000, 9000].map { time in
                DrillRecord.Event(
                    time: time,
                    source: "packager-1",
                    kind: "switched",
                    renditions: [rendition],
                    message: ""
                )
            }
        }
        #expect(Measurements(of: record)[.switches] == 2)
    }

    @Test func ageIsInTargetDurations() {
        var record = DrillRecord.sample(video: Self.whole)
        record.ages = [.init(time: 100, rendition: "a", age: 1000), .init(time: 9000, rendition: "a", age: 3000)]
        #expect(Measurements(of: record)[.playlistAge] == 1.5)
    }

    @Test func onlyAPairCanDiffer() {
        var record = DrillRecord.sample(video: Self.whole)
        #expect(Measurements(of: record)[.differences] == nil)
        record.differences = [.init(time: nil, message: "bytes")]
        #expect(Measurements(of: record)[.differences] == 1)
    }

    @Test func theyGoThroughJSON() throws {
        let measured = Measurements(of: .sample(video: "mmmmmmmmmgggmmmm"))
        let json = try JSONEncoder().encode(measured)
        #expect(try JSONDecoder().decode(Measurements.self, from: json) == measured)
    }

    @Test(arguments: [
        ([Span(0, 10), Span(5, 15), Span(20, 30)], 25), ([], 0), ([Span(5, 6), Span(0, 10)], 10), ([Span(3, 1)], 0),
    ])
    func whatSpansShareCountsOnce(spans: [Span], length: Int) {
        #expect(Span.union(spans) == length)
    }
}
