import Foundation
import MediaCore
import TestSupport
import Testing

@testable import Timeline

/// A timeline that continues where another one has left off with the same feed.
@Suite struct InputTimelineInheritanceTests {
    private static func placed(_ reception: InputTimeline.Reception, _ driver: TimelineDriver) -> MediaTime? {
        switch reception {
        case .placed(let times): times.presentation + driver.timeline.utcOffset
        case .held(let times):
            driver.timeline.place(times, arrival: TimelineDriver.edge + MediaTime(seconds: 60)).map {
                $0.presentation + driver.timeline.utcOffset
            }
        case .dropped: nil
        }
    }

    /// The first packet already has its place, however late what was kept of the feed comes, and wherever timestamps
    /// have wrapped.
    @Test(arguments: [900_000, TimelineDriver.modulus - 90 * 5_000])
    func itsPlaceIsThatOfTheOther(base: Int64) throws {
        var old = TimelineDriver(base: base)
        old.run(0..<12_000, at: 3)
        var place = try #require(old.timeline.placement(shift: .zero, correction: .zero))
        place.isRepeated = true
        let before = try #require(Self.placed(old.send(12_000, at: 12_003), old))
        var new = TimelineDriver(base: base)
        new.timeline.inherited = place
        // Eight seconds at once, and then as it comes.
        for time in stride(from: Int64(4_000), to: 12_000, by: 40) {
            _ = new.send(time, at: 12_003)
            #expect(new.timeline.isAnchored, "\(time)")
        }
        #expect(Self.placed(new.send(12_000, at: 12_003), new) == before)
        #expect(new.takeRepairs().isEmpty)
        // And it is what continues to the next.
        #expect(new.timeline.placement(shift: .zero, correction: .zero)?.utcOffset == place.utcOffset)
    }

    /// Two segments of the usual length are twelve seconds, and each track begins with the oldest of them.
    @Test(arguments: [8_000, 14_000, 40_000] as [Int64]) func allTracksAreWhereTheyWere(kept: Int64) throws {
        var old = TimelineDriver()
        old.run(0..<60_000, at: 3, tracks: [0, 1])
        var place = try #require(old.timeline.placement(shift: .zero, correction: .zero))
        place.isRepeated = true
        var new = TimelineDriver()
        new.timeline.inherited = place
        for time in stride(from: 60_000 - kept, to: 60_000, by: 40) {
            for track in [0, 1] where track == 0 || time > 60_300 - kept {
                _ = new.send(time, at: 60_003, track: track)
            }
        }
        for track in [0, 1] {
            let before = try #require(Self.placed(old.send(60_000, at: 60_003, track: track), old))
            #expect(Self.placed(new.send(60_000, at: 60_003, track: track), new) == before)
        }
        #expect(new.takeRepairs().isEmpty)
        #expect(!new.timeline.takeFindings().contains { if case .apart = $0 { true } else { false } })
        // What begins later is not repeated.
        new.run(60_040..<61_000, at: 60_043, tracks: [0, 1])
        for time in stride(from: Int64(49_000), to: 49_200, by: 40) { _ = new.send(time, at: time + 12_000, track: 2) }
        #expect(new.timeline.takeFindings().contains { if case .apart(2, _) = $0 { true } else { false } })
    }

    /// An encoder that was started anew has nothing to do with what was before, be it a moment or an hour.
    @Test(arguments: [3_600_000, -23_000]) func anotherFeedFindsItsOwnPlace(jump: Int64) throws {
        var old = TimelineDriver(base: 9_000_000)
        old.run(0..<4_000, at: 0)
        var new = TimelineDriver(base: 9_000_000 + 90 * jump)
        new.timeline.inherited = old.timeline.placement(shift: .zero, correction: .zero)
        _ = new.send(0, at: 5_000)
        #expect(!new.timeline.isAnchored)
        new.run(40..<2_000, at: 5_040)
        #expect(new.utc(new.send(2_000, at: 7_000)) == 7_000)
    }

    /// One that connects again and counts on is where it was from its first packet on.
    @Test func aFeedThatCountsOnIsWhereItWas() throws {
        var old = TimelineDriver()
        old.run(0..<4_000, at: 0)
        var new = TimelineDriver()
        new.timeline.inherited = old.timeline.placement(shift: .zero, correction: .zero)
        _ = new.send(6_000, at: 6_030)
        #expect(new.timeline.isAnchored)
        #expect(new.utc(new.send(6_040, at: 6_060)) == 6_040)
    }

    @Test func shiftsAndCorrectionsAreInThePlace() throws {
        var old = TimelineDriver()
        old.run(0..<4_000, at: 0)
        let plain = try #require(old.timeline.placement(shift: .zero, correction: .zero))
        let moved = try #require(
            old.timeline.placement(shift: MediaTime(milliseconds: 40), correction: MediaTime(milliseconds: -2))
        )
        #expect(moved.anchor == plain.anchor + 3_600 && moved.utcOffset == plain.utcOffset - 180)
    }

    /// A primary that was moved to where its backup lies is ahead of its arrival, and so it stays.
    @Test(arguments: [-2_500, 2_500] as [Int64]) func whatItWasMovedByIsKeptApart(shift: Int64) throws {
        var old = TimelineDriver()
        old.run(0..<4_000, at: 0)
        let (shift, correction) = (MediaTime(milliseconds: shift), MediaTime(milliseconds: 1_800))
        let place = try #require(old.timeline.placement(shift: shift, correction: correction))
        var new = TimelineDriver()
        new.timeline.inherited = place
        new.run(4_000..<20_000, at: 4_000)
        #expect(new.utc(new.send(20_000, at: 20_000)) == 20_000)
        #expect(new.takeRepairs().isEmpty)
        #expect(new.timeline.takeFindings().first == .continued(shift: shift, correction: correction))
        let next = try #require(new.timeline.placement(shift: shift, correction: correction))
        #expect(next.anchor == place.anchor && next.utcOffset == place.utcOffset)
    }

    /// A version before this one says where it lies, and not what it was moved by.
    @Test func aPlaceWithoutWhatItWasMovedByIsUnderstood() throws {
        let text = #"{"anchor": 90000, "utcOffset": -90000, "modulus": 8589934592, "isRepeated": false}"#
        let place = try JSONDecoder().decode(InputTimeline.Placement.self, from: Data(text.utf8))
        #expect(place.anchor == 90_000 && place.shift == nil)
    }

    /// Only an input that is placed by its arrival has a place to leave.
    @Test func signalsSpeakForThemselves() {
        var driver = TimelineDriver(source: .pts)
        driver.run(0..<4_000, at: 0)
        #expect(driver.timeline.placement(shift: .zero, correction: .zero) == nil)
    }
}
