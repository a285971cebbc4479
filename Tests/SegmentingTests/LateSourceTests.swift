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

    /// Returns the number of samples that a value holds, wherever they are.
    private static func payloadCount(in value: Any) -> Int {
        if value is ByteBuffer { return 1 }
        return Mirror(reflecting: value).children.reduce(0) { $0 + payloadCount(in: $1.value) }
    }
}
