import ISOBMFF
import MediaCore
import NIOCore
import SegmentingSupport
import TestSupport
import Testing

@testable import Segmenting

/// Slots that are told in parts: what was told is final, and a slot's source is the one that it began with.
@Suite struct SegmenterPartsTests {
    private static let whole = ["0-1000 a sync", "1000-2000 a", "2000-3000 a sync", "3000-4000 a"]

    @Test func aSlotIsToldAsItComes() throws {
        var feed = PartFeed()
        feed.run(to: 20_000)
        #expect(feed.parts(of: 2) == Self.whole)
        let audio = feed.parts(of: 2, track: 1)
        #expect(audio.count == 4 || audio.count == 5, "\(audio)")
        // A frame later than it could be known, and what the way takes.
        #expect(feed.delays(from: 2).allSatisfy { $0 <= 200 }, "\(feed.delays(from: 2).max() ?? 0)")
        let slot = try #require(feed.slot(2))
        #expect(slot.segments[0]?.samples.count == 100 && slot.segments[0]?.isWhole == true)
        #expect(feed.parts.allSatisfy { !$0.part.startsDiscontinuity })
    }

    /// Radio: where no pictures lead, a slot ends as planned.
    @Test func audioAloneIsToldAsItComes() throws {
        var feed = PartFeed(hasVideo: false)
        feed.run(to: 24_000)
        for slot in 2...4 as ClosedRange<Int64> {
            let parts = feed.parts(of: slot)
            #expect((4...5).contains(parts.count) && parts.allSatisfy { !$0.hasSuffix("gap") }, "\(parts)")
            #expect(try #require(feed.slot(slot)).segments[0]?.isGap == false)
        }
        #expect(feed.delays(from: 2).allSatisfy { $0 <= 200 }, "\(feed.delays(from: 2).max() ?? 0)")
    }

    @Test func audioAloneFailsOver() throws {
        var feed = PartFeed(hasVideo: false)
        feed.holes = [(0, 9_500..<60_000)]
        feed.run(to: 24_000)
        #expect(feed.parts(of: 2).last?.hasSuffix("gap") == true)
        #expect(feed.parts(of: 3).allSatisfy { $0.contains(" b") }, "\(feed.parts(of: 3))")
        #expect(try #require(feed.slot(3)).segments[0]?.isGap == false)
    }

    @Test func audioGoesOnWherePicturesAreNoMore() throws {
        var feed = PartFeed()
        feed.holes = [(0, 9_000..<60_000), (1, 9_000..<60_000)]
        feed.keepsAudio = true
        feed.run(to: 9_200)
        feed.segmenter.setSources([], of: TrackIndex(0))
        feed.run(to: 32_000)
        for slot in 4...6 as ClosedRange<Int64> {
            let parts = feed.parts(of: slot, track: 1)
            #expect((4...5).contains(parts.count) && parts.allSatisfy { !$0.hasSuffix("gap") }, "\(parts)")
            #expect(try #require(feed.slot(slot)).segments[1]?.isGap == false)
        }
    }

    /// Players can begin with the second key frame at once, since a part begins with it.
    @Test func aPartEndsBeforeAKeyFrame() {
        var feed = PartFeed(duration: 1_080)
        feed.run(to: 20_000)
        #expect(feed.parts(of: 2) == ["0-1080 a sync", "1080-2000 a", "2000-3080 a sync", "3080-4000 a"])
    }

    /// The slot in which it dies is a gap for who plays whole segments; the next is the standby's.
    @Test func aDeathInTheSlotMakesGapParts() throws {
        var feed = PartFeed()
        feed.holes = [(0, 9_500..<60_000)]
        feed.run(to: 24_000)
        #expect(
            feed.parts(of: 2) == ["0-1000 a sync", "1000-1520 a", "1520-2520 gap", "2520-3520 gap", "3520-4000 gap"]
        )
        #expect(feed.parts(of: 3) == Self.whole.map { $0.replacing(" a", with: " b") })
        #expect(feed.parts(of: 4) == Self.whole.map { $0.replacing(" a", with: " b") })
        #expect(try #require(feed.slot(2)).segments[0]?.isGap == true)
        #expect(try #require(feed.slot(3)).sources == [1, 1])
        #expect(feed.delays(from: 2).allSatisfy { $0 <= 1_700 }, "\(feed.delays(from: 2).max() ?? 0)")
    }

    /// A source that is dead before a slot begins has no part in it.
    @Test func aDeathBeforeTheSlotCostsNothing() throws {
        var feed = PartFeed()
        feed.holes = [(0, 11_960..<60_000)]
        feed.run(to: 24_000)
        #expect(feed.parts(of: 2).last?.hasSuffix("gap") == true || feed.parts(of: 2) == Self.whole)
        #expect(feed.parts(of: 3) == Self.whole.map { $0.replacing(" a", with: " b") })
    }

    @Test func withNoSourceGapsAreToldInTime() throws {
        var feed = PartFeed()
        feed.holes = [(0, 9_500..<18_000), (1, 9_500..<18_000)]
        feed.run(to: 28_000)
        #expect(feed.parts(of: 3).allSatisfy { $0.hasSuffix("gap") } && feed.parts(of: 3).count == 4)
        #expect(feed.parts(of: 3, track: 1).allSatisfy { $0.hasSuffix("gap") })
        #expect(feed.parts(of: 5) == Self.whole)
        #expect(feed.slots.map(\.number.value).last ?? 0 >= Epoch.slot.value + 5)
    }

    /// Viewers have a track that no source has any more: the first parts of the other one come as soon as without it.
    @Test(arguments: [0, 1])
    func aSilentTrackIsNotWaitedFor(silent: Int) throws {
        var feed = PartFeed()
        feed.holes = [(0, 9_500..<30_000), (1, 9_500..<30_000)]
        (feed.keepsAudio, feed.keepsPictures) = (silent == 0, silent == 1)
        feed.run(to: 44_000)
        for slot in 5...6 as ClosedRange<Int64> {
            let first = try #require(
                feed.parts.first { told in
                    told.part.track.value != silent && told.part.index == 0
                        && told.part.cut.number.value == Epoch.slot.value + slot
                }
            )
            #expect(!first.part.cut.isGap)
            let delay = first.at - (first.part.cut.end.utc - Epoch.at(0)).milliseconds
            #expect(delay <= 200, "\(delay) in slot \(slot)")
            #expect(feed.parts(of: slot, track: silent).allSatisfy { $0.hasSuffix("gap") })
        }
        // It has come back within slot 7.
        let back = feed.parts(of: 8, track: silent)
        #expect((4...5).contains(back.count) && back.allSatisfy { !$0.hasSuffix("gap") }, "\(back)")
    }

    /// The encoder of a further rung connects, and stops within its first segment.
    @Test(arguments: [true, false])
    func aTrackThatHasNeverBeenWholeIsNotWaitedFor(breaksOff: Bool) throws {
        var feed = PartFeed()
        feed.run(to: 9_000)
        feed.segmenter.addTrack(.video, sourceCount: 2)
        for time in stride(from: Int64(8_000), to: 9_000, by: 40) {
            let sample = Sample(
                decodeTime: Epoch.at(time),
                presentationTime: Epoch.at(time),
                isSync: time == 8_000,
                payload: ByteBuffer(integer: time)
            )
            _ = feed.segmenter.received(
                sample,
                track: 2,
                source: 0,
                configuration: .avc(SyntheticTracks.video),
                utcOffset: .zero,
                arrival: Epoch.at(9_000)
            )
        }
        if breaksOff { feed.segmenter.inputRestarted(tracks: [2], source: 0) }
        for slot in 4...8 as ClosedRange<Int64> {
            feed.run(to: slot * 4_000 + 4_400)
            #expect(feed.slot(slot) != nil, "slot \(slot) is not there 0.4 s after its end")
        }
    }

    /// The last picture stands still to the end of the slot, which is no gap then.
    @Test func aDeathInTheSlotIsHeldWhereThatIsWanted() throws {
        var feed = PartFeed(filler: .hold)
        feed.holes = [(0, 9_500..<60_000)]
        feed.run(to: 20_000)
        #expect(
            feed.parts(of: 2) == ["0-1000 a sync", "1000-2000 a sync", "2000-3000 hold sync", "3000-4000 hold sync"],
            "it begins to stand still within the second part"
        )
        let cut = try #require(feed.slot(2)?.segments[0])
        #expect(!cut.isGap && !cut.isWhole && cut.samples.reduce(0) { $0 + Int64($1.duration) } == cut.duration)
    }

    /// RFC 8216bis § 4.4.4.9: a part that lasts less than 85 % of the target, and has no key frame, is followed by a gap or by
    /// the next slot.
    @Test(arguments: [9_060, 9_500, 9_980, 10_980, 11_500, 11_960] as [Int64], [500, 1_000] as [Int64])
    func noShortPartIsFollowedByFillers(death: Int64, duration: Int64) throws {
        let samples = (0..<50).map { index in
            FragmentSample(duration: 3_600, isSync: index % 10 == 0, payload: ByteBuffer(integer: Int64(0)))
        }
        let card = Slate.Track(configuration: .avc(SyntheticTracks.video), timescale: 90_000, samples: samples)
        for filler in [.hold, .slate(Slate(video: card, audio: nil))] as [LossFiller] {
            var feed = PartFeed(filler: filler, duration: duration)
            feed.holes = [(0, death..<60_000)]
            feed.run(to: 20_000)
            let parts = feed.parts.map(\.part).filter { $0.track == 0 && $0.cut.number.value == Epoch.slot.value + 2 }
                .map(\.cut)
            #expect(parts.contains { $0.filler != nil } || death > 11_000)
            #expect(parts.allSatisfy { !$0.isGap } && parts.reduce(0) { $0 + $1.duration } == 360_000)
            let lengths = parts.map { MediaTime($0.duration, timescale: $0.timescale).milliseconds }
            for (part, length) in zip(parts, lengths).dropLast() {
                #expect(length <= duration && (length * 100 >= duration * 85 || part.hasEntry), "\(lengths)")
            }
            #expect(feed.parts(of: 3).allSatisfy { $0.contains(" b") }, "\(feed.parts(of: 3))")
        }
    }

    /// No sync sample where the slot has to end: the cut is made as soon as it must be, not taken back.
    @Test func aCutIsForcedInsideASlot() throws {
        var feed = PartFeed()
        feed.group = 12_000
        feed.run(to: 36_000)
        let starts = feed.slots.compactMap { slot in
            slot.segments[0].map { ($0.start.utc - Epoch.at(0)).milliseconds }
        }
        #expect(starts.contains(12_000) && starts.contains(24_000), "\(starts)")
        for slot in feed.slots.dropFirst() {
            let cut = try #require(slot.segments[0])
            #expect(MediaTime(cut.duration, timescale: cut.timescale) <= MediaTime(seconds: 6))
        }
        let forced = feed.segmenter.takeRepairs().filter { $0.repair == .forcedCut && $0.source == 0 }
        #expect(forced.count >= 2)
    }

    /// RFC 8216bis § 4.4.3.1: one begins a slot early, the other one that continues ends it late.
    @Test func noSlotOutlastsTheTargetDurationWhereKeyFramesDiffer() throws {
        var feed = PartFeed()
        feed.groups = [0: (2_040, 4_000), 1: (4_520, 6_000)]
        feed.holes = [(0, 10_060..<60_000)]
        feed.run(to: 36_000)
        let slot = try #require(feed.slot(3))
        #expect(slot.sources == [1, 1])
        for slot in feed.slots {
            for cut in slot.segments.compactMap({ $0 }) {
                let duration = MediaTime(cut.duration, timescale: cut.timescale)
                #expect(duration <= MediaTime(seconds: 6) + MediaTime(milliseconds: 22), "\(slot.number)")
            }
        }
        let pictures = try #require(slot.segments[0])
        let parts = feed.parts.map(\.part.cut).filter { $0.number == slot.number && $0.configuration?.kind == .video }
        #expect(parts.reduce(0) { $0 + $1.duration } == pictures.duration)
        #expect(parts.flatMap(\.samples).map(\.payload) == pictures.samples.map(\.payload))
    }

    @Test func aLateKeyFrameStartsTheSlotThatItIsFor() {
        var feed = PartFeed()
        feed.missingKeyFrames = [12_000]
        feed.run(to: 20_000)
        #expect(
            feed.parts(of: 2).last == "5000-6000 a" && feed.parts(of: 3).first == "2000-3000 a sync",
            "\(feed.parts(of: 2)) \(feed.parts(of: 3)) \(feed.parts(of: 4))"
        )
    }

    @Test func slotsBeginWithRecoveryPoints() throws {
        var feed = PartFeed()
        feed.hasRecoveryPoints = true
        feed.run(to: 20_000)
        #expect(feed.parts(of: 3) == Self.whole || feed.parts(of: 3).first == "0-1000 a sync", "\(feed.parts(of: 3))")
        #expect(feed.segmenter.takeRepairs().contains { $0.repair == .recoveryPointCut })
    }

    /// The encoder has sent one key frame, and then recovery points alone, at other distances from each other.
    @Test(arguments: [40, 320, 600, 880] as [Int64], [200, 1_480, 2_200, 3_400, 3_960] as [Int64])
    func everySlotBeginsWithARecoveryPoint(distance: Int64, phase: Int64) {
        var feed = PartFeed()
        feed.hasRecoveryPoints = true
        feed.onlyKeyFrame = phase
        feed.groups[0] = (phase + distance, 1_000)
        feed.run(to: 40_000)
        for slot in Int64(1)...8 {
            #expect(feed.parts(of: slot).first?.hasSuffix("sync") == true, "\(slot): \(feed.parts(of: slot))")
        }
        #expect(!feed.segmenter.takeRepairs().contains { $0.repair == .forcedCut })
    }

    /// All renditions begin the slot with a discontinuity where one has another configuration, and none does before.
    @Test func anotherConfigurationIsADiscontinuityOfAllAtTheNextSlot() throws {
        var feed = PartFeed()
        feed.changes = [0: 10_000, 1: 10_000]
        feed.run(to: 24_000)
        let marked = feed.parts.filter(\.part.startsDiscontinuity)
        #expect(Set(marked.map(\.part.cut.number.value)) == [Epoch.slot.value + 3])
        #expect(Set(marked.map(\.part.track)) == [0, 1] && marked.allSatisfy { $0.part.index == 0 })
        #expect(feed.slots.filter(\.startsDiscontinuity).map(\.number.value) == [Epoch.slot.value + 3])
        // What of the slot was told before cannot be taken back.
        #expect(feed.parts(of: 2).prefix(2) == ["0-1000 a sync", "1000-2000 a"])
    }

    @Test func aPreferredSourceTakesBackWithASlotsFirstPart() throws {
        var feed = PartFeed()
        feed.holes = [(0, 9_500..<18_000)]
        feed.run(to: 44_000)
        let sources = feed.slots.map { $0.sources[0] }
        #expect(sources.contains(1) && sources.last == .some(0), "\(sources)")
        for slot in feed.slots where slot.number.value > Epoch.slot.value + 2 {
            #expect(slot.segments[0]?.isGap == false)
        }
    }

    /// The concatenation of its parts is the segment (RFC 8216bis § 4.4.4.9), and each lasts 85 % of the target at least.
    @Test(arguments: [320, 500, 1_000, 1_500, 4_000] as [Int64])
    func partsAreTheSegment(duration: Int64) throws {
        var feed = PartFeed(duration: duration)
        feed.run(to: 30_000)
        for slot in feed.slots.dropFirst(2) {
            for track in 0..<2 {
                let cut = try #require(slot.segments[track])
                let parts = feed.parts.map(\.part).filter { $0.track.value == track && $0.cut.number == slot.number }
                #expect(parts.map(\.index) == Array(parts.indices))
                #expect(parts.flatMap(\.cut.samples).map(\.payload) == cut.samples.map(\.payload))
                #expect(parts.reduce(0) { $0 + $1.cut.duration } == cut.duration)
                #expect(parts.first?.cut.decodeTime == cut.decodeTime)
                for part in parts.dropLast() {
                    let length = MediaTime(part.cut.duration, timescale: part.cut.timescale).milliseconds
                    #expect(length <= duration && length * 100 >= duration * 85, "\(length) of \(duration)")
                }
            }
        }
    }
}
