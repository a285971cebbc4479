import Codecs
import ISOBMFF
import MediaCore
import NIOCore
import SegmentingSupport
import TestSupport
import Testing

@testable import Segmenting

/// The parts of a slot that is being filled.
@Suite struct OpenSlotTests {
    private static let number = MediaSequenceNumber(448_750_000)
    private static let begin = MediaTime(seconds: number.value * 4)

    /// Members of a pair hear the same pictures in portions of their own, and tell the same parts.
    ///
    /// Pictures last 3,754 and 3,753 ticks in turn, and a part has room for 24 of them to the tick.
    @Test(arguments: [1, 2, 3, 7, 23, 96])
    func portionsInWhichMediaComesDoNotMoveParts(count: Int) {
        let durations = (0..<96).map { UInt32($0.isMultiple(of: 2) ? 3_754 : 3_753) }
        let samples = durations.map { Self.sample($0, isSync: true) }
        #expect(Self.counts(samples, by: count, longest: 12 * (3_754 + 3_753)) == [23, 24, 24, 24, 1])
    }

    /// Pictures last 40 ms, and a part 1.08 s: the key frame after 2 s comes when the second part has 85 % of that, but not of
    /// 1.1 s.
    @Test(arguments: [1, 3, 23, 100])
    func aPartEndsBeforeAKeyFrameIfItIsLongEnough(count: Int) {
        let samples = (0..<100).map { Self.sample(3_600, isSync: $0 == 0 || $0 == 50) }
        #expect(Self.counts(samples, by: count, longest: 97_200) == [27, 23, 27, 23])
        #expect(Self.counts(samples, by: count, longest: 99_000) == [27, 27, 27, 19])
    }

    /// Nothing is gained by ending it before one of many.
    @Test func aPartOfFramesThatAreAllIndependentIsFilled() {
        let samples = (0..<90).map { _ in Self.sample(1_000, isSync: true) }
        #expect(Self.counts(samples, by: 1, longest: 30_000) == [30, 30, 30])
    }

    /// A part that lasts less than 85 % of the target waits for the next picture, which may be a short one.
    @Test(arguments: [1, 2, 5])
    func aShortPartWaitsForWhatFits(count: Int) {
        let durations: [UInt32] = [50_000, 10_000, 30_000, 45_000, 45_000, 60_000, 60_000]
        let samples = durations.map { Self.sample($0, isSync: false) }
        #expect(Self.counts(samples, by: count, longest: 90_000) == [3, 2, 1, 1])
    }

    /// A picture that is shown for longer, since others are missing, leaves no short part behind.
    @Test(arguments: [
        [3_600, 21_600], [3_600, 3_600, 20_000], [18_000, 5_000], [10_000, 20_000, 20_000, 20_000, 20_000],
    ])
    func aPictureThatFitsNoShortPartIsDecodedLater(durations: [UInt32]) {
        let samples =
            durations.map { Self.sample($0, isSync: false) } + (0..<20).map { _ in Self.sample(3_600, isSync: false) }
        let media = Self.media(samples[...], at: Self.begin.ticks)
        let parts = media.parts(atMost: MediaTime(ticks: 22_500))
        #expect(parts.dropLast().allSatisfy { 19_125...22_500 ~= $0.duration }, "\(parts.map(\.duration))")
        #expect(parts.reduce(0) { $0 + $1.duration } == media.duration)
        for (part, next) in zip(parts, parts.dropFirst()) {
            #expect(part.decodeTime + part.duration == next.decodeTime)
        }
        #expect(Self.presentation(parts.flatMap(\.samples)) == Self.presentation(samples))
    }

    private static func presentation(_ samples: [FragmentSample]) -> [Int64] {
        var time: Int64 = 0
        return samples.map { sample in
            defer { time += Int64(sample.duration) }
            return time + Int64(sample.compositionOffset)
        }
    }

    /// No part but the last before other media is shorter than 85 % of the longest.
    @Test(arguments: [91_000, 100_000, 180_000, 181_000, 250_000, 400_000] as [UInt32])
    func aFirstPictureThatLastsTooLongIsRepeated(duration: UInt32) throws {
        let samples = [Self.sample(duration, isSync: true)] + (0..<60).map { _ in Self.sample(3_600, isSync: false) }
        let media = Self.media(samples[...], at: Self.begin.ticks)
        let repeated = media.repeatingFirst(atMost: MediaTime(seconds: 1))
        let first = repeated.samples.prefix { $0.isSync }
        #expect(first.reduce(0) { $0 + Int64($1.duration) } == Int64(duration))
        #expect(first.dropLast().allSatisfy { 76_500...90_000 ~= $0.duration })
        #expect(try 1...90_000 ~= #require(first.last).duration)
        #expect(repeated.samples.count == 60 + first.count && first.count == Int((duration + 89_999) / 90_000))
        var slot = OpenSlot(
            Self.number,
            after: SegmentEnd(media.start),
            source: 0,
            longest: MediaTime(seconds: 1),
            longestSegment: MediaTime(seconds: 10)
        )
        let hasNoHole = slot.append(media)
        slot.flush()
        #expect(hasNoHole && slot.parts.reduce(0) { $0 + $1.duration } == media.duration)
        #expect(slot.parts.dropLast().allSatisfy { 76_500...90_000 ~= $0.duration })
        // Only a picture that can follow itself is repeated.
        var gradual = media
        gradual.recoversGradually = true
        #expect(gradual.repeatingFirst(atMost: MediaTime(seconds: 1)).samples.count == 61)
    }

    /// Returns the numbers of samples of a slot's parts, where samples come by so many at a time.
    private static func counts(_ samples: [FragmentSample], by count: Int, longest: Int64) -> [Int] {
        var slot = OpenSlot(
            number,
            after: SegmentEnd(Boundary(media: begin, utcOffset: .zero)),
            source: 0,
            longest: MediaTime(ticks: longest),
            longestSegment: MediaTime(seconds: 6)
        )
        var time = begin.ticks
        for first in stride(from: 0, to: samples.count, by: count) {
            let portion = media(samples[first..<min(first + count, samples.count)], at: time)
            let isWhole = slot.append(portion)
            #expect(isWhole)
            time += portion.duration
        }
        slot.flush()
        #expect(slot.segment(of: nil)?.partCount == slot.parts.count)
        return slot.parts.map(\.samples.count)
    }

    private static func sample(_ duration: UInt32, isSync: Bool) -> FragmentSample {
        FragmentSample(duration: duration, isSync: isSync, payload: ByteBuffer())
    }

    private static func media(_ samples: ArraySlice<FragmentSample>, at time: Int64) -> CutSegment {
        let duration = samples.reduce(0) { $0 + Int64($1.duration) }
        return CutSegment(
            number: number,
            start: Boundary(media: MediaTime(ticks: time), utcOffset: .zero),
            end: Boundary(media: MediaTime(ticks: time + duration), utcOffset: .zero),
            timescale: MediaTime.timescale,
            decodeTime: time,
            duration: duration,
            samples: Array(samples),
            configuration: .avc(SyntheticTracks.video)
        )
    }
}
