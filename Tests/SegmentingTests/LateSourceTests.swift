import MediaCore
import NIOCore
import SegmentingSupport
import TestSupport
import Testing
import Timeline

@testable import Segmenting

/// A standby whose media is always too late for its slot.
@Suite struct LateSourceTests {
    enum Standby: CaseIterable {
        /// It lies ten slots behind.
        case lagging
        /// Its clock stands still: each packet is a tick after the one before.
        case frozen
    }

    @Test(arguments: Standby.allCases)
    func whatIsNeverPublishedIsNotKept(standby: Standby) {
        var segmenter = Segmenter(grid: SegmentGrid(slotDuration: MediaTime(seconds: 4)))
        for kind in [MediaKind.video, .audio] { segmenter.addTrack(kind, sourceCount: 2) }
        var slots: [Slot] = []
        var most = 0
        // A frame of audio and a picture each 1024 samples of 48 kHz, for two minutes.
        for tick in 0..<5_625 as Range<Int64> {
            let now = Epoch.time + MediaTime(ticks: tick * 1_920)
            let late: MediaTime =
                switch standby {
                case .lagging: now - MediaTime(seconds: 40)
                case .frozen: Epoch.at(10_000) + MediaTime(ticks: tick)
                }
            let isLate = standby == .lagging || now > Epoch.at(10_000)
            for (source, time) in [now, isLate ? late : now].enumerated() {
                for (track, configuration) in [
                    CodecConfiguration.avc(SyntheticTracks.video), .aac(SyntheticTracks.audio),
                ]
                .enumerated() {
                    let sample = Sample(
                        decodeTime: time,
                        presentationTime: time,
                        isSync: track == 1 || tick % 75 == 0,
                        payload: ByteBuffer(bytes: [1])
                    )
                    slots += segmenter.received(
                        sample,
                        track: TrackIndex(track),
                        source: SourceRank(source),
                        configuration: configuration,
                        utcOffset: .zero,
                        arrival: now
                    )
                }
            }
            slots += segmenter.timeAdvanced(to: now)
            if tick % 500 == 0 { most = max(most, Self.payloadCount(in: segmenter)) }
        }
        #expect(slots.count == 29)
        #expect(slots.allSatisfy { $0.sources == [0, 0] && $0.segments[0]?.isWhole == true })
        // Of each source and track five slots of 200 samples at most: what is being cut, and what may still be.
        #expect(most > 0 && most <= 4 * 5 * 200)
    }

    /// An encoder comes back with a delay of many slots, for which all the others wait.
    @Test func otherTracksLoseNothingToOneThatIsLate() {
        var segmenter = Segmenter(grid: SegmentGrid(slotDuration: MediaTime(seconds: 1)))
        for kind in [MediaKind.video, .audio, .video] { segmenter.addTrack(kind, sourceCount: 1) }
        var slots: [Slot] = []
        // Pictures and frames of audio each 40 ms, for 90 seconds.
        for now in stride(from: Int64(0), to: 90_000, by: 40) {
            let late: Int64? = now < 10_000 ? now : now < 25_000 ? nil : now - 15_000
            for (track, time) in [now, now, late].enumerated() {
                guard let time else { continue }
                slots += segmenter.received(
                    Sample(
                        decodeTime: Epoch.at(time),
                        presentationTime: Epoch.at(time),
                        isSync: track == 1 || time % 1_000 == 0,
                        payload: ByteBuffer(bytes: [1])
                    ),
                    track: TrackIndex(track),
                    source: .primary,
                    configuration: track == 1 ? .aac(SyntheticTracks.audio) : .avc(SyntheticTracks.video),
                    utcOffset: .zero,
                    arrival: Epoch.at(now)
                )
            }
            slots += segmenter.timeAdvanced(to: Epoch.at(now))
        }
        #expect(slots.count >= 70)
        #expect(slots.suffix(20).allSatisfy { $0.segments.allSatisfy { $0?.isGap == false } })
        #expect(slots.allSatisfy { $0.segments[0]?.isGap == false && $0.segments[1]?.isGap == false })
    }

    /// Returns the number of samples that a value holds, wherever they are.
    private static func payloadCount(in value: Any) -> Int {
        if value is ByteBuffer { return 1 }
        return Mirror(reflecting: value).children.reduce(0) { $0 + payloadCount(in: $1.value) }
    }
}
