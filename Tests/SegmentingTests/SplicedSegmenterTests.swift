import Codecs
import ISOBMFF
import MediaCore
import NIOCore
import SegmentingSupport
import TestSupport
import Testing
import Timeline

@testable import Segmenting

/// Boundaries that splices move: for every rung, source and track of audio alike.
@Suite struct SplicedSegmenterTests {
    /// Two rungs, the first with a standby, and audio; times in milliseconds after an edge.
    private struct Encoder {
        var segmenter = Segmenter(grid: SegmentGrid(slotDuration: MediaTime(seconds: 4)))
        var slots: [Slot] = []
        var now: Int64 = 0
        /// The key frames besides those of every second group of two seconds.
        var splices: Set<Int64> = []
        /// Pictures that are not sent.
        var hole: Range<Int64>?
        private var audioFrames: Int64 = 0

        init() {
            segmenter.addTrack(.video, sourceCount: 2)
            segmenter.addTrack(.video)
            segmenter.addTrack(.audio)
        }

        mutating func splice(at time: Int64) -> BoundaryPlan.Reception {
            segmenter.splice(at: Epoch.at(time), heard: Epoch.at(now))
        }

        mutating func run(to end: Int64) {
            while now < end {
                if hole?.contains(now) != true {
                    let isSync = now % 2_000 == 0 || splices.contains(now)
                    for (track, source) in [(0, 0), (0, 1), (1, 0)] {
                        send(now, track, source, isSync: isSync, .avc(SyntheticTracks.video))
                    }
                }
                while audioFrames * 64 / 3 <= now {
                    send(audioFrames * 64 / 3, 2, 0, isSync: true, .aac(SyntheticTracks.audio))
                    audioFrames += 1
                }
                slots += segmenter.timeAdvanced(to: Epoch.at(now))
                now += 40
            }
        }

        private mutating func send(
            _ time: Int64,
            _ track: Int,
            _ source: Int,
            isSync: Bool,
            _ configuration: CodecConfiguration
        ) {
            slots += segmenter.received(
                Sample(
                    decodeTime: Epoch.at(time),
                    presentationTime: Epoch.at(time),
                    isSync: isSync,
                    payload: ByteBuffer(integer: time)
                ),
                track: TrackIndex(track),
                source: SourceRank(source),
                configuration: configuration,
                utcOffset: .zero,
                arrival: Epoch.at(now)
            )
        }

        /// Returns the starts of a track's segments, in milliseconds.
        func starts(track: Int) -> [Int64] {
            slots.compactMap { slot in
                slot.segments[track].map { ($0.start.utc - Epoch.at(0)).milliseconds }
            }
        }
    }

    /// A key frame of the encoder's rhythm near the edge gives way to the one at the splice.
    @Test(
        arguments: [
            (16_000, [12_000, 16_000, 20_000]), (17_200, [12_000, 17_200, 20_000]), (15_080, [12_000, 15_080, 20_000]),
            (17_960, [12_000, 17_960, 20_000]), (14_040, [12_000, 14_040, 20_000]),
        ] as [(Int64, [Int64])]
    )
    func everyRungAndAudioIsCutAtTheSplice(splice: Int64, starts: [Int64]) {
        var encoder = Encoder()
        encoder.run(to: 12_500)
        let reception = encoder.splice(at: splice)
        #expect(reception == .planned(Epoch.slot.advanced(by: 4)))
        encoder.splices = [splice]
        encoder.run(to: 30_000)
        for track in 0..<2 { #expect(encoder.starts(track: track).filter { 12_000...20_000 ~= $0 } == starts) }
        let audio = encoder.starts(track: 2).filter { $0 > 11_900 && $0 < 20_100 }
        #expect(audio.count == 3 && zip(audio, starts).allSatisfy { $0 - $1 >= 0 && $0 - $1 < 25 }, "\(audio)")
        #expect(zip(encoder.slots, encoder.slots.dropFirst()).allSatisfy { $0.number.next == $1.number })
        let distances = encoder.slots.compactMap { $0.splice?.distance }
        #expect(distances == [.zero])
        #expect(encoder.slots.allSatisfy { $0.segments.allSatisfy { $0?.isGap == false } })
    }

    @Test func twoSplicesOfOneSlotBeginSegmentsOfTheirOwn() {
        var encoder = Encoder()
        encoder.run(to: 12_500)
        let receptions = [encoder.splice(at: 17_200), encoder.splice(at: 18_920)]
        #expect(receptions == [.planned(Epoch.slot.advanced(by: 4)), .planned(Epoch.slot.advanced(by: 5))])
        encoder.splices = [17_200, 18_920]
        encoder.run(to: 34_000)
        #expect(encoder.starts(track: 0).filter { 12_000...24_000 ~= $0 } == [12_000, 17_200, 18_920, 24_000])
        #expect(encoder.slots.compactMap { $0.splice?.distance } == [.zero, .zero])
    }

    /// An encoder that puts no key frame at the splice: the next one is taken, and it is said by how much it is late.
    @Test func withoutAKeyFrameTheNextOneIsTaken() {
        var encoder = Encoder()
        encoder.run(to: 12_500)
        _ = encoder.splice(at: 17_200)
        encoder.run(to: 30_000)
        #expect(encoder.starts(track: 0).filter { 12_000...20_000 ~= $0 } == [12_000, 18_000, 20_000])
        #expect(encoder.slots.compactMap { $0.splice?.distance } == [MediaTime(milliseconds: 800)])
        for slot in encoder.slots.dropFirst() {
            let duration = slot.segments[0].map { MediaTime($0.duration, timescale: $0.timescale) } ?? .zero
            #expect(duration <= MediaTime(seconds: 6))
        }
    }

    @Test func aCueThatComesTooLateLeavesTheMediaAsItIs() {
        var encoder = Encoder()
        encoder.run(to: 16_500)
        let reception = encoder.splice(at: 17_200)
        #expect(reception == .late(by: MediaTime(milliseconds: 520)))
        encoder.splices = [17_200]
        encoder.run(to: 30_000)
        #expect(encoder.starts(track: 0).filter { 12_000...20_000 ~= $0 } == [12_000, 16_000, 20_000])
    }

    @Test func aSpliceInAHoleHasAGapBeforeIt() {
        var encoder = Encoder()
        encoder.run(to: 12_500)
        _ = encoder.splice(at: 17_200)
        encoder.splices = [17_200]
        encoder.hole = 14_000..<17_200
        encoder.run(to: 30_000)
        #expect(encoder.starts(track: 0).filter { 12_000...20_000 ~= $0 } == [12_000, 17_200, 20_000])
        #expect(encoder.slots.compactMap { $0.splice?.distance } == [.zero])
    }

    @Test func withoutVideoAudioIsCutAtTheSplice() {
        var segmenter = Segmenter(grid: SegmentGrid(slotDuration: MediaTime(seconds: 4)))
        segmenter.addTrack(.audio)
        var slots: [Slot] = []
        for frame in 0..<1_500 as Range<Int64> {
            let time = frame * 64 / 3
            if frame == 600 { _ = segmenter.splice(at: Epoch.at(17_200), heard: Epoch.at(time)) }
            slots += segmenter.received(
                Sample(
                    decodeTime: Epoch.at(time),
                    presentationTime: Epoch.at(time),
                    isSync: true,
                    payload: ByteBuffer(integer: time)
                ),
                track: 0,
                configuration: .aac(SyntheticTracks.audio),
                utcOffset: .zero,
                arrival: Epoch.at(time)
            )
        }
        let starts = slots.compactMap { $0.segments[0].map { ($0.start.utc - Epoch.at(0)).milliseconds } }
        #expect(starts.contains { 17_200..<17_225 ~= $0 } && !starts.contains { 15_900..<16_100 ~= $0 }, "\(starts)")
    }
}
