import ISOBMFF
import MediaCore
import NIOCore
import SegmentingSupport
import Testing

@testable import Segmenting

/// Slots in which no source has media of a track, told in parts.
@Suite struct LostMediaPartTests {
    /// Where pictures have died, the others do not wait for a part that would come after the planned end of the slot.
    @Test(
        arguments: [
            (320, 48_000), (500, 48_000), (1_000, 48_000), (1_080, 48_000),
            (500, 44_100), (1_000, 44_100), (2_000, 44_100),
        ] as [(Int64, Int64)]
    )
    func partsOfAudioComeInTheirTimeWithoutPictures(duration: Int64, sampleRate: Int64) throws {
        var feed = PartFeed(duration: duration)
        feed.sampleRate = sampleRate
        feed.holes = [(0, 9_500..<60_000), (1, 9_500..<60_000)]
        feed.keepsAudio = true
        feed.run(to: 32_000)
        for slot in 2...6 as ClosedRange<Int64> {
            let told = feed.parts.filter { told in
                told.part.track == 1 && told.part.cut.number.value == Epoch.slot.value + slot
            }
            let last = try #require(told.last)
            #expect(last.part.isLast && told.allSatisfy { !$0.part.cut.isGap })
            // Once pictures have been silent for a slot, audio comes as without them.
            let delay = last.at - (last.part.cut.end.utc - Epoch.at(0)).milliseconds
            #expect(delay <= (slot < 4 ? 600 : 250), "\(delay) in slot \(slot)")
        }
        for told in feed.parts where told.part.cut.number.value >= Epoch.slot.value + 4 {
            let cut = told.part.cut
            let delay = told.at - (cut.end.utc - Epoch.at(0)).milliseconds
            let slot = cut.number.value - Epoch.slot.value
            #expect(delay <= 250, "\(delay) ms: part \(told.part.index) of track \(told.part.track), slot \(slot)")
        }
        let slots = feed.slots.map { $0.number.value - Epoch.slot.value }
        #expect(slots == Array((slots.first ?? 0)..<7))
        #expect(feed.slots.suffix(4).allSatisfy { $0.segments[0]?.isGap == true && $0.segments[1]?.isGap == false })
    }

    /// The first key frame may come up to half a slot after its edge, and parts are handed out long before that.
    @Test(arguments: [0, 400, 1_000, 1_520, 1_880, 1_960, 2_040, 3_000, 3_960] as [Int64], [100, 700] as [Int64])
    func picturesComeBackWhereverTheirKeyFramesAre(first: Int64, latency: Int64) throws {
        for filler in [.gap, .hold] as [LossFiller] {
            var feed = PartFeed(filler: filler, duration: 200)
            feed.latency = latency
            feed.groups = [0: (first, 4_000), 1: (first, 4_000)]
            feed.holes = [(0, 13_500..<21_300), (1, 13_500..<21_300)]
            feed.keepsAudio = true
            feed.run(to: 52_000)
            let filled = (4...10).map { number in
                feed.slot(number)?.segments[0].map { !$0.isGap && $0.filler == nil } ?? false
            }
            // Lost in the fourth slot, and back with the first whole slot after the feed, or the one after that.
            #expect(filled.suffix(4) == [true, true, true, true], "\(filler): \(filled)")
            #expect(feed.slots.suffix(3).allSatisfy { $0.segments[1]?.isGap == false })
            let parts = feed.parts.filter { $0.part.cut.number.value >= Epoch.slot.value + 4 }
            #expect(parts.allSatisfy { $0.part.cut.duration <= 200 * $0.part.cut.timescale / 1_000 })
            // Sound goes on while the key frame is waited for.
            let sound = parts.filter { $0.part.track == 1 }
            let delays = sound.map { $0.at - ($0.part.cut.end.utc - Epoch.at(0)).milliseconds - latency }
            #expect(delays.max() ?? .max <= 1_000, "\(filler): \(delays)")
        }
    }

    /// A feed that loses pictures for less than a second goes on with the next ones in their own time.
    @Test(arguments: [0, 120, 520] as [Int64], [320, 1_000] as [Int64])
    func picturesAfterAShortLossAreShownInTheirTime(first: Int64, duration: Int64) throws {
        for declares in [false, true] {
            for length in stride(from: 40, to: 1_000, by: 180) as StrideTo<Int64> {
                for begin in stride(from: 11_000, to: 12_600, by: 240) as StrideTo<Int64> {
                    var feed = PartFeed(duration: duration)
                    feed.declaresDurations = declares
                    feed.groups = [0: (first, 1_000), 1: (first, 1_000)]
                    feed.holes = [(0, begin..<begin + length), (1, begin..<begin + length)]
                    feed.keepsAudio = true
                    feed.run(to: 24_000)
                    let name = "declared \(declares), \(begin) to \(begin + length)"
                    let slots = feed.slots.drop { $0.number.value < Epoch.slot.value + 2 }
                    #expect(slots.count { $0.segments[0]?.isGap != false } <= 1, "\(name)")
                    Self.expectInTime(feed, partsOf: duration, "\(name)")
                }
            }
        }
    }

    /// Where the key frame that begins a slot comes long after the loss, it is shown from the edge on, and nothing else is
    /// lost.
    @Test(arguments: [(120, 320), (520, 320), (120, 500), (520, 500), (840, 500), (840, 1_000)] as [(Int64, Int64)])
    func aLossCostsNoSlotAfterIt(first: Int64, duration: Int64) throws {
        for filler in [.gap, .hold] as [LossFiller] {
            for length in [1_040, 1_200, 1_600] as [Int64] {
                var feed = PartFeed(filler: filler, duration: duration)
                feed.declaresDurations = true
                feed.groups = [0: (first, 1_000), 1: (first, 1_000)]
                let end = 12_000 + first - 40
                feed.holes = [(0, end - length..<end), (1, end - length..<end)]
                feed.keepsAudio = true
                feed.run(to: 28_000)
                let name = "\(filler), lost \(end - length) to \(end)"
                let slots = feed.slots.drop { $0.number.value < Epoch.slot.value + 2 }
                #expect(slots.dropFirst().allSatisfy { $0.segments[0]?.isGap == false }, "\(name)")
                Self.expectInTime(feed, partsOf: duration, name)
            }
        }
    }

    /// The primary takes over again wherever the key frames of the inputs lie, and however late they are.
    @Test(arguments: [(720, 80), (880, 120), (80, 720), (520, 480)] as [(Int64, Int64)])
    func thePrimaryComesBackWhereverItsKeyFramesAre(primary: Int64, backup: Int64) throws {
        typealias Case = (delays: [Int64], duration: Int64)
        for (delays, duration) in [([0, 0], 250), ([0, 600], 250), ([600, 0], 500), ([0, 300], 334)] as [Case] {
            for filler in [.gap, .hold] as [LossFiller] {
                var feed = PartFeed(filler: filler, duration: duration)
                feed.declaresDurations = true
                feed.groups = [0: (primary, 1_000), 1: (backup, 1_000)]
                feed.delays = delays
                feed.holes = [(0, 13_300..<14_400)]
                feed.run(to: 60_000)
                let name = "\(filler), delays \(delays), parts of \(duration) ms"
                let slots = feed.slots.filter { $0.number.value >= Epoch.slot.value + 2 }
                #expect(slots.count { $0.sources[0] == nil } <= 1, "\(name)")
                let sources = slots.map { $0.sources.map { $0?.value ?? -1 } }
                #expect(sources.suffix(5).allSatisfy { $0 == [0, 0] }, "\(name): \(sources)")
                Self.expectInTime(feed, partsOf: duration, name)
            }
        }
    }

    /// Checks that each picture is shown in its time, but for those that take the time of missing ones before them.
    private static func expectInTime(_ feed: PartFeed, partsOf duration: Int64, _ name: String) {
        var newest: Int64 = 0
        // A held picture was there before.
        let shown = feed.slots.flatMap { $0.segments[0].map(Shown.pictures) ?? [] }.filter { picture in
            defer { newest = max(newest, picture.own) }
            return picture.own > newest
        }
        let late = shown.filter { $0.time > $0.own + 1 }
        let early = shown.filter { $0.own - $0.time > 40 && abs($0.own - $0.time + 40 - $0.duration) > 1 }
        let squeezed = shown.filter { $0.duration < 30 || $0.longest > duration }
        #expect(late.isEmpty && early.isEmpty && squeezed.isEmpty, "\(name): \(late) \(early) \(squeezed)")
    }

    /// A picture: when it is shown, its own time, and its duration with all repetitions, in milliseconds.
    private struct Shown {
        var time: Int64
        var own: Int64
        var duration: Int64
        /// The longest of its samples.
        var longest: Int64

        static func pictures(of cut: CutSegment) -> [Shown] {
            guard cut.filler == nil else { return [] }
            var list: [Shown] = []
            var decodeTime = cut.start.utc - Epoch.at(0)
            for sample in cut.samples {
                let duration = MediaTime(Int64(sample.duration), timescale: cut.timescale)
                let time = decodeTime + MediaTime(Int64(sample.compositionOffset), timescale: cut.timescale)
                let own = (sample.payload.getInteger(at: sample.payload.readerIndex, as: Int64.self) ?? 0) / 2
                decodeTime += duration
                if list.last?.own == own {
                    list[list.count - 1].duration += duration.milliseconds
                    list[list.count - 1].longest = max(list[list.count - 1].longest, duration.milliseconds)
                } else {
                    let length = duration.milliseconds
                    list.append(Shown(time: time.milliseconds, own: own, duration: length, longest: length))
                }
            }
            return list
        }
    }

    /// Sound does not wait at each slot for key frames of a feed that has none.
    @Test func partsOfAudioComeInTheirTimeWithoutKeyFrames() throws {
        var feed = PartFeed(duration: 200)
        feed.groups = [0: (0, 4_000), 1: (0, 4_000)]
        feed.missingKeyFrames = Set((4...20).map { $0 * 4_000 })
        feed.run(to: 60_000)
        let late = feed.parts.filter { told in
            told.part.track == 1 && told.part.cut.number.value >= Epoch.slot.value + 6
        }
        #expect(late.count > 100 && late.allSatisfy { !$0.part.cut.isGap })
        let delays = late.map { $0.at - ($0.part.cut.end.utc - Epoch.at(0)).milliseconds }
        #expect(delays.max() ?? .max <= 1_000)
    }

    /// A slot whose input dies within it is that input's, as far as its media goes.
    @Test func aPartlyHeldSlotIsOfTheInputThatBeganIt() throws {
        var feed = PartFeed(filler: .hold, duration: 500)
        feed.holes = [(0, 10_000..<60_000), (1, 10_000..<60_000)]
        feed.run(to: 24_000)
        let slot = try #require(feed.slot(2))
        #expect(slot.sources == [.primary, .primary])
        for cut in slot.segments.compactMap(\.self) {
            #expect(cut.filler == nil && !cut.isGap && !cut.isWhole)
            #expect(abs(cut.coverage.milliseconds - 2_000) < 50, "\(cut.coverage)")
        }
        #expect(feed.slot(3)?.sources == [nil, nil])
    }

    /// What is held is the newest key frame that viewers have seen, not that of the segment before.
    @Test func theNewestKeyFrameIsHeld() throws {
        var feed = PartFeed(filler: .hold, duration: 500)
        feed.groups = [0: (0, 1_000), 1: (0, 1_000)]
        feed.holes = [(0, 11_200..<60_000), (1, 11_200..<60_000)]
        feed.run(to: 24_000)
        let cut = try #require(feed.slot(2)?.segments[0])
        let shown = Shown.pictures(of: cut).map(\.own)
        #expect(shown.contains(11_160) && shown.last == 11_000, "\(shown.suffix(4))")
    }

    /// Behind a gap no decoder can show pictures before a key frame: they are left out.
    @Test(arguments: [320, 500] as [Int64], [2_000, 4_000] as [Int64])
    func noSegmentBehindAGapBeginsWithoutKeyFrame(duration: Int64, group: Int64) {
        for begin in stride(from: 11_240, to: 12_000, by: 120) as StrideTo<Int64> {
            var feed = PartFeed(duration: duration)
            feed.declaresDurations = true
            feed.groups = [0: (0, group), 1: (0, group)]
            feed.holes = [(0, begin..<begin + 800), (1, begin..<begin + 800)]
            feed.keepsAudio = true
            feed.run(to: 32_000)
            let cuts = feed.slots.compactMap { $0.segments[0] }
            for (cut, next) in zip(cuts, cuts.dropFirst()) where cut.isGap && !next.isGap {
                #expect(next.samples[0].isSync, "\(begin): \(cuts.map(\.summary))")
            }
            let gaps = cuts.filter { $0.isGap && $0.number.value > Epoch.slot.value }
            #expect(gaps.count <= (group == 2_000 ? 1 : 2), "\(begin): \(cuts.map(\.summary))")
            Self.expectInTime(feed, partsOf: duration, "\(begin)")
        }
    }

    /// The picture after a short loss is known to last only with the next one, and its part is waited for.
    @Test func aShortLossCostsNoSegmentWhereverItIsInAPart() {
        for length in [360, 400, 440] as [Int64] {
            for begin in stride(from: 13_000, to: 14_040, by: 40) as StrideTo<Int64> {
                var feed = PartFeed(duration: 1_000)
                feed.declaresDurations = true
                feed.groups = [0: (0, 4_000), 1: (0, 4_000)]
                feed.holes = [(0, begin..<begin + length), (1, begin..<begin + length)]
                feed.keepsAudio = true
                feed.run(to: 24_000)
                let slots = feed.slots.drop { $0.number.value < Epoch.slot.value + 1 }
                #expect(slots.allSatisfy { $0.segments[0]?.isGap == false }, "\(begin), \(length)")
                Self.expectInTime(feed, partsOf: 1_000, "\(begin), \(length)")
            }
        }
    }

    /// A short loss of a key frame costs no more than the pictures up to the next one, wherever it is.
    @Test(arguments: [500, 1_000] as [Int64])
    func aLostKeyFrameCostsNoSegment(duration: Int64) {
        for key in [9_000, 10_000, 11_000, 12_000] as [Int64] {
            for length in [40, 160, 280] as [Int64] {
                var feed = PartFeed(duration: duration)
                feed.declaresDurations = true
                feed.groups = [0: (0, 1_000), 1: (0, 1_000)]
                feed.holes = [(0, key - 40..<key - 40 + length + 40), (1, key - 40..<key - 40 + length + 40)]
                feed.keepsAudio = true
                feed.run(to: 24_000)
                let slots = feed.slots.drop { $0.number.value < Epoch.slot.value + 1 }
                #expect(slots.allSatisfy { $0.segments[0]?.isGap == false }, "\(key), \(length)")
                Self.expectInTime(feed, partsOf: duration, "\(key), \(length)")
            }
        }
    }

    /// The pictures of a slate follow each other from part to part, also where its key frames are further apart than parts.
    @Test(arguments: [320, 500, 1_000] as [Int64])
    func aSlateRunsOnFromPartToPart(duration: Int64) throws {
        let samples = (0..<100).map { index in
            FragmentSample(duration: 3_600, isSync: index % 50 == 0, payload: ByteBuffer(integer: Int64(index)))
        }
        let card = Slate.Track(configuration: .avc(SyntheticTracks.video), timescale: 90_000, samples: samples)
        var feed = PartFeed(filler: .slate(Slate(video: card, audio: nil)), duration: duration)
        feed.holes = [(0, 12_500..<60_000), (1, 12_500..<60_000)]
        feed.run(to: 30_000)
        for slot in 4...5 as ClosedRange<Int64> {
            let cut = try #require(feed.slot(slot)?.segments[0])
            #expect(cut.filler == .slate && cut.partCount > 3)
            let shown = cut.samples.compactMap { $0.payload.getInteger(at: 0, as: Int64.self) }
            let steps = zip(shown, shown.dropFirst()).map { ($1 - $0 + 100) % 100 }
            #expect(steps.allSatisfy { $0 == 1 }, "slot \(slot): \(shown)")
            #expect(cut.samples[0].isSync)
        }
    }

    /// Slots that are all due at once are filled as those that are told in time, whose fillers last no longer than a part.
    @Test(arguments: [320, 500, 1_000] as [Int64])
    func aSlotThatIsFilledAtOnceIsFilledAsInTime(duration: Int64) throws {
        let samples = (0..<50).map { index in
            FragmentSample(duration: 3_600, isSync: index % 10 == 0, payload: ByteBuffer(integer: Int64(0)))
        }
        let card = Slate.Track(configuration: .avc(SyntheticTracks.video), timescale: 90_000, samples: samples)
        for filler in [.hold, .slate(Slate(video: card, audio: nil))] as [LossFiller] {
            var inTime = PartFeed(filler: filler, duration: duration)
            inTime.holes = [(0, 12_500..<60_000), (1, 12_500..<60_000)]
            var atOnce = inTime
            inTime.run(to: 30_000)
            atOnce.run(to: 12_600)
            atOnce.standStill(until: 30_000)
            for slot in 4...5 as ClosedRange<Int64> {
                #expect(atOnce.parts(of: slot) == inTime.parts(of: slot) && !atOnce.parts(of: slot).isEmpty)
                for track in 0..<2 {
                    let cut = try #require(atOnce.slot(slot)?.segments[track])
                    #expect(!cut.isGap && cut.filler != nil, "track \(track) of slot \(slot)")
                    let parts = atOnce.parts.map(\.part).filter {
                        $0.track.value == track && $0.cut.number == cut.number
                    }
                    #expect(parts.allSatisfy { !$0.cut.isGap } && cut.partCount == parts.count)
                    #expect(parts.reduce(0) { $0 + $1.cut.duration } == cut.duration)
                }
            }
        }
    }
}
