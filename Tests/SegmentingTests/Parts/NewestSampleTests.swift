import Codecs
import ISOBMFF
import MediaCore
import NIOCore
import SegmentingSupport
import Testing

@testable import Segmenting

/// The newest sample of a source, which need not wait for the next where its duration is known.
@Suite struct NewestSampleTests {
    /// Returns the longest delay of parts of video after their ends, but for the first of each slot, which wait for audio.
    private static func delay(_ feed: PartFeed) -> Int64? {
        feed.parts.filter { $0.part.track == 0 && $0.part.index > 0 && $0.part.cut.number.value > Epoch.slot.value + 1 }
            .map { $0.at - ($0.part.cut.end.utc - Epoch.at(0)).milliseconds }
            .max()
    }

    @Test func aPictureOfDeclaredDurationIsHandedOutAsItComes() throws {
        var plain = PartFeed()
        var declared = PartFeed()
        declared.declaresDurations = true
        plain.run(to: 24_000)
        declared.run(to: 24_000)
        for slot: Int64 in 2...4 { #expect(declared.parts(of: slot) == plain.parts(of: slot)) }
        let before = try #require(Self.delay(plain))
        let after = try #require(Self.delay(declared))
        #expect(after == before - 40, "\(before), \(after)")
        #expect(declared.slot(3)?.segments[0]?.isWhole == true)
    }

    /// The picture after the hole is decoded in time, and shown in its own.
    @Test func aPictureThatWasHandedOutLastsAsLongAsWasSaid() throws {
        var feed = PartFeed()
        feed.declaresDurations = true
        feed.holes = [(0, 10_360..<10_400), (1, 10_360..<10_400)]
        feed.run(to: 24_000)
        let cut = try #require(feed.slot(2)?.segments[0])
        #expect(!cut.isGap && cut.samples.count == 99 && cut.duration == 360_000)
        #expect(cut.samples.reduce(0) { $0 + Int64($1.duration) } == cut.duration)
        let moved = try #require(cut.samples.firstIndex { $0.compositionOffset != 0 })
        #expect(moved == 59 && cut.samples[moved].compositionOffset == 3_600 && cut.samples[moved].duration == 7_200)
        #expect(feed.parts(of: 3).first == "0-1000 a sync")
    }

    /// The last frame of a slot takes up the remainder of rounding; there is one more if the slot goes on for as long.
    @Test func aFrameIsHandedOutWhereTheSlotGoesOn() throws {
        let frame = MediaTime(1_024, timescale: 48_000)
        for (frames, count) in [(10, 9), (11, 10), (20, 10)] as [(Int64, Int)] {
            var cutter = AudioCutter()
            for index in 0..<10 as Range<Int64> {
                let time = Epoch.at(0) + frame * index
                let sample = Sample(
                    decodeTime: time,
                    presentationTime: time,
                    isSync: true,
                    payload: ByteBuffer(integer: index)
                )
                cutter.received(sample, configuration: .aac(SyntheticTracks.audio))
            }
            let told = cutter.emit(
                Epoch.slot,
                from: Epoch.at(0),
                reached: Epoch.at(0) + frame * frames,
                utcOffset: .zero,
                isRest: false
            )
            #expect(told?.samples.count == count)
            // No other frame comes: what was handed out lasts as long as before, and silence follows.
            let cut = cutter.cut(
                Epoch.slot,
                from: Epoch.at(0),
                to: Epoch.at(0) + frame * max(frames, 11),
                utcOffset: .zero
            )
            #expect(cut.samples.prefix(count).allSatisfy { $0.duration == 1_024 } && cut.samples.count > count)
        }
    }
}
