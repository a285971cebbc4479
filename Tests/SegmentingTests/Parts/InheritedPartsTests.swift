import ISOBMFF
import MediaCore
import Playlists
import SegmentingSupport
import Testing

@testable import Segmenting

/// Slots that an earlier run has begun in parts: what was told is final for the next run, too (RFC 8216bis § 6.2.1).
@Suite struct InheritedPartsTests {
    private static let whole = ["0-1000 a sync", "1000-2000 a", "2000-3000 a sync", "3000-4000 a"]

    /// A run that ends in the midst of slot 2, of which it has told two parts.
    private static func killed() -> PartFeed {
        var feed = PartFeed()
        feed.run(to: 10_300)
        return feed
    }

    private static func indices(_ feed: PartFeed, of slot: Int64, track: Int = 0) -> [Int] {
        feed.parts.map(\.part).filter { $0.track.value == track && $0.cut.number.value == Epoch.slot.value + slot }
            .map(\.index)
    }

    @Test func theRestOfTheSlotIsGapsAndTheNextSlotIsWhole() throws {
        let before = Self.killed()
        #expect(before.parts(of: 2) == Array(Self.whole.prefix(2)))
        var after = PartFeed(resuming: before, after: 1, at: 10_600, hearing: 10_500)
        after.run(to: 20_000)
        #expect(after.parts(of: 2) == ["2000-3000 gap", "3000-4000 gap"])
        #expect(Self.indices(after, of: 2) == [2, 3])
        let told = before.parts(of: 2, track: 1).count
        #expect(Self.indices(after, of: 2, track: 1).first == told)
        #expect(after.parts(of: 2, track: 1).allSatisfy { $0.hasSuffix("gap") })
        let slot = try #require(after.slot(2))
        #expect(slot.segments.allSatisfy { $0?.isGap == true })
        #expect(slot.segments[0].map { ($0.start.utc - Epoch.at(8_000)).milliseconds } == 0)
        #expect(slot.segments[0].map { ($0.end.utc - Epoch.at(12_000)).milliseconds } == 0)
        #expect(after.parts(of: 3) == Self.whole)
        let next = try #require(after.slot(3))
        #expect(next.segments.allSatisfy { $0?.isGap == false })
    }

    /// Players reload no later than with the first part of the next slot.
    @Test func theSlotIsOverAsSoonAsASourceHasBegunTheNextOne() {
        var after = PartFeed(resuming: Self.killed(), after: 1, at: 10_600, hearing: 10_500)
        after.latency = 100
        after.run(to: 12_240)
        #expect(after.slots.map(\.number.value) == [Epoch.slot.value + 2])
    }

    @Test func aLongOutageLeavesWhatWasToldInItsPlace() {
        var after = PartFeed(resuming: Self.killed(), after: 1, at: 22_000, hearing: 21_900)
        after.run(to: 36_000)
        #expect(after.parts(of: 2) == ["2000-3000 gap", "3000-4000 gap"])
        #expect(Self.indices(after, of: 2) == [2, 3])
        #expect(Self.indices(after, of: 3) == [0, 1, 2, 3])
        #expect(after.parts(of: 6) == Self.whole)
        #expect(after.slots.prefix(2).allSatisfy { $0.segments.allSatisfy { $0?.isGap == true } })
    }

    /// An upgrade: the next process reads the feed once more, from before the slot on.
    @Test func aFeedThatIsReadOnceMoreLosesNothing() throws {
        let before = Self.killed()
        var after = PartFeed(resuming: before, after: 1, at: 10_600, hearing: 4_000)
        after.segmenter.awaitRepetition(until: Epoch.at(18_600))
        after.run(to: 20_000)
        #expect(after.parts(of: 2) == Self.whole)
        #expect(Self.indices(after, of: 2) == [0, 1, 2, 3])
        var uncut = PartFeed()
        uncut.run(to: 20_000)
        for number in [2, 3] as [Int64] {
            let (slot, other) = (try #require(after.slot(number)), try #require(uncut.slot(number)))
            for (cut, other) in zip(slot.segments, other.segments) {
                #expect(cut?.samples.map(\.payload) == other?.samples.map(\.payload), "\(number)")
                #expect(cut?.duration == other?.duration && cut?.isGap == false)
            }
        }
    }

    /// Key frames lie anywhere in slots, or the encoder has sent its only one long before; the next process may begin
    /// late in the slot.
    @Test(arguments: [false, true], [(0, 10_600), (200, 11_400), (600, 11_900), (960, 12_300)] as [(Int64, Int64)])
    func aFeedThatIsReadOnceMoreLosesNothingWhereverKeyFramesLie(
        hasRecoveryPoints: Bool,
        at times: (phase: Int64, start: Int64)
    ) throws {
        var before = PartFeed()
        before.hasRecoveryPoints = hasRecoveryPoints
        for source in 0..<2 { before.groups[source] = (times.phase, 1_000) }
        before.run(to: 10_300)
        var after = PartFeed(resuming: before, after: 1, at: times.start, hearing: 5_160)
        (after.hasRecoveryPoints, after.groups) = (hasRecoveryPoints, before.groups)
        after.segmenter.awaitRepetition(until: Epoch.at(18_600))
        after.run(to: 20_000)
        for number in [2, 3] as [Int64] {
            #expect(!after.parts(of: number).contains { $0.hasSuffix("gap") }, "\(after.parts(of: number))")
            let slot = try #require(after.slot(number))
            #expect(slot.segments.allSatisfy { $0?.isGap == false }, "\(number)")
        }
    }

    /// UTC is slewed while a slot is filled, and the next process begins it with what it is by then.
    @Test(arguments: [0, 8, 18, 90, 170] as [Int64]) func aSlewedClockDividesAFeedAlike(ticks: Int64) throws {
        var after = PartFeed(resuming: Self.killed(), after: 1, at: 10_600, hearing: 4_000)
        after.utcOffset = MediaTime(ticks: ticks)
        after.segmenter.awaitRepetition(until: Epoch.at(18_600))
        after.run(to: 20_000)
        #expect(Self.indices(after, of: 2) == [0, 1, 2, 3])
        for track in 0..<2 { #expect(!after.parts(of: 2, track: track).contains { $0.hasSuffix("gap") }) }
        let slot = try #require(after.slot(2))
        #expect(slot.segments.allSatisfy { $0?.isGap == false })
        #expect(slot.segments[0].map { $0.end.media - $0.start.media } == MediaTime(seconds: 4))
    }

    /// Nothing is due before the bytes are there.
    @Test func whatComesOnceMoreIsAwaited() {
        var after = PartFeed(resuming: Self.killed(), after: 1, at: 10_600, hearing: 40_000)
        after.segmenter.awaitRepetition(until: Epoch.at(18_600))
        after.run(to: 18_000)
        #expect(after.parts.isEmpty && after.slots.isEmpty)
        after.run(to: 28_000)
        #expect(after.parts(of: 2) == ["2000-3000 gap", "3000-4000 gap"])
    }

    /// The feed is the same, and was divided otherwise: by other settings of another version, say.
    @Test func partsThatDifferAreNotContinued() throws {
        let before = Self.killed()
        var after = PartFeed(resuming: before, after: 1, at: 10_600, hearing: 4_000)
        var told = try #require(before.told(2, track: 0))
        told.durations[1] = SegmentDuration(value: 81_000, timescale: 90_000)
        after.segmenter.resume([told], track: TrackIndex(0))
        after.run(to: 20_000)
        #expect(
            after.parts(of: 2) == ["0-1000 a sync", "1900-2900 gap", "2900-3900 gap", "3900-4000 gap"],
            "the first one is told again as it was"
        )
        #expect(Self.indices(after, of: 2) == [0, 2, 3, 4])
        #expect(try #require(after.slot(2)).segments[0]?.isGap == true)
        #expect(after.parts(of: 3) == Self.whole)
    }

    /// Nothing follows a gap but gaps, whatever a source has.
    @Test func aGapThatWasToldIsContinued() throws {
        let before = Self.killed()
        var after = PartFeed(resuming: before, after: 1, at: 10_600, hearing: 4_000)
        var told = try #require(before.told(2, track: 0))
        told.mediaCount = 1
        after.segmenter.resume([told], track: TrackIndex(0))
        after.run(to: 20_000)
        #expect(after.parts(of: 2).allSatisfy { $0.hasSuffix("gap") })
        #expect(Self.indices(after, of: 2).first == 2)
        #expect(after.parts(of: 3) == Self.whole)
    }

    /// The disk had not taken the line of the last part: what viewers have of it gets no other bytes.
    @Test func aPartThatTheJournalLacksIsAGapUnderItsName() throws {
        let before = Self.killed()
        var after = PartFeed(resuming: before, after: 1, at: 10_600, hearing: 10_500)
        for track in 0..<2 {
            var told = try #require(before.told(2, track: track))
            told.durations.removeLast()
            told.mediaCount -= 1
            after.segmenter.resume([told], track: TrackIndex(track))
        }
        after.run(to: 20_000)
        #expect(after.parts(of: 2) == ["1000-2000 gap", "2000-3000 gap", "3000-4000 gap"])
        #expect(Self.indices(after, of: 2) == [1, 2, 3])
        let sound = try #require(before.told(2, track: 1)).durations.count
        #expect(Self.indices(after, of: 2, track: 1).first == sound - 1)
        #expect(after.parts(of: 2, track: 1).allSatisfy { $0.hasSuffix("gap") })
        #expect(after.parts(of: 3) == Self.whole)
    }

    /// Nor do all of them: when the first media comes, it is long known that the slot has begun without it.
    @Test func aSlotOfWhichTheJournalHasNoPartIsAGap() throws {
        var after = PartFeed(resuming: Self.killed(), after: 1, at: 10_600, hearing: 10_700)
        for track in 0..<2 { after.segmenter.resume([], track: TrackIndex(track)) }
        after.run(to: 20_000)
        for track in 0..<2 {
            #expect(after.parts(of: 2, track: track).allSatisfy { $0.hasSuffix("gap") })
            #expect(Self.indices(after, of: 2, track: track) == [0, 1, 2, 3])
        }
        #expect(after.parts(of: 3) == Self.whole)
    }

    /// The parts of the slot after were told, too, where a slot was still being written.
    @Test func twoSlotsAreContinued() throws {
        let before = Self.killed()
        var after = PartFeed(resuming: before, after: 0, at: 10_600, hearing: 10_500)
        for track in 0..<2 {
            let told = try [1, 2].map { try #require(before.told($0, track: track)) }
            after.segmenter.resume(told, track: TrackIndex(track))
        }
        after.run(to: 20_000)
        #expect(after.parts(of: 1).isEmpty, "all of it was told")
        #expect(try #require(after.slot(1)).segments[0]?.isGap == true)
        #expect(after.parts(of: 2) == ["2000-3000 gap", "3000-4000 gap"])
        #expect(after.parts(of: 3) == Self.whole)
    }
}
