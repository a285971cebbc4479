import MediaCore
import Playlists
import Presentation
import Testing

@Suite struct PresentationSnapshotTests {
    @Test func itSaysWhatIsListedAndWhatWasPublished() throws {
        var channel = Channel()
        try channel.publish(keyPeriod: 1)
        try channel.publish(gaps: [Channel.audio], startsDiscontinuity: true, keyPeriod: 1)
        let snapshot = channel.presentation.snapshot()
        #expect(snapshot.state == .live)
        #expect(snapshot.targetDuration == 6)
        #expect(snapshot.renditions.map(\.id) == [Channel.video, Channel.audio])
        #expect(snapshot.renditions.map(\.kind) == [.video, .audio])
        #expect(snapshot.renditions.allSatisfy { !$0.codecs.isEmpty })
        #expect(snapshot.renditions.map { $0.resolution != nil } == [true, false])
        #expect(snapshot.liveEdge == MediaTime(seconds: (Channel.firstNumber + 2) * 4))
        #expect(snapshot.totals.segments == 3)
        #expect(snapshot.totals.gaps == 1)
        #expect(
            snapshot.renditions[1].segments == [
                WindowSnapshot.Segment(
                    sequence: MediaSequenceNumber(Channel.firstNumber),
                    start: MediaTime(seconds: Channel.firstNumber * 4),
                    duration: SegmentDuration(value: 4, timescale: 1),
                    isGap: false,
                    startsDiscontinuity: false,
                    keyURIs: ["keys/1"],
                    byteCount: 1000
                ),
                WindowSnapshot.Segment(
                    sequence: MediaSequenceNumber(Channel.firstNumber + 1),
                    start: MediaTime(seconds: (Channel.firstNumber + 1) * 4),
                    duration: SegmentDuration(value: 4, timescale: 1),
                    isGap: true,
                    startsDiscontinuity: true,
                    keyURIs: ["keys/1"],
                    byteCount: 0
                ),
            ]
        )
    }
}
