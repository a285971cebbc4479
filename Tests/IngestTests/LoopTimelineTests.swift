import MediaCore
import TestSupport
import Testing

@testable import Ingest

@Suite struct LoopTimelineTests {
    /// Plays a round of packets (track, decode timestamp, duration) and returns their decode timestamps.
    private func round(_ timeline: inout LoopTimeline, _ packets: [(Int, Int64, Int64)]) -> [Int64?] {
        defer { timeline.roundEnded() }
        return packets.map { track, timestamp, duration in
            var packet = PacketInfo(
                trackIndex: InputTrackIndex(track),
                presentationTimestamp: timestamp,
                decodeTimestamp: timestamp,
                duration: duration
            )
            timeline.packetRead(&packet)
            #expect(packet.presentationTimestamp == packet.decodeTimestamp)
            return packet.decodeTimestamp
        }
    }

    @Test func aRoundStartsWhereTheOneBeforeItEnded() {
        var timeline = LoopTimeline()
        let packets: [(Int, Int64, Int64)] = [
            (0, 126_000, 3600), (1, 133_200, 1920), (1, 135_120, 1920), (0, 129_600, 3600),
        ]
        #expect(round(&timeline, packets) == [126_000, 133_200, 135_120, 129_600])
        #expect(round(&timeline, packets) == [133_200, 140_400, 142_320, 136_800])
        #expect(timeline.offset == 14_400)
    }

    @Test func theLongestTrackSetsTheLength() {
        var timeline = LoopTimeline()
        let packets: [(Int, Int64, Int64)] = [(0, 0, 3600), (1, 0, 9000), (0, 3600, 3600)]
        _ = round(&timeline, packets)
        #expect(round(&timeline, packets) == [9000, 9000, 12_600])
    }

    @Test func aLastPacketWithoutDurationLastsAsLongAsTheStepBefore() {
        var timeline = LoopTimeline()
        _ = round(&timeline, [(0, 0, 0), (0, 3600, 0)])
        #expect(timeline.offset == 7200)
    }

    @Test func aWrapWithinARoundIsPassedOn() {
        let end: Int64 = 1 << 33
        var timeline = LoopTimeline(modulus: end)
        let packets: [(Int, Int64, Int64)] = [(0, end - 3600, 3600), (0, 0, 3600)]
        #expect(round(&timeline, packets) == [end - 3600, 0])
        #expect(round(&timeline, packets) == [3600, 7200])
    }

    @Test func missingTimestampsStayMissing() {
        var timeline = LoopTimeline()
        _ = round(&timeline, [(0, 0, 3600)])
        var packet = PacketInfo(trackIndex: 0, presentationTimestamp: nil, decodeTimestamp: nil)
        timeline.packetRead(&packet)
        #expect(packet == PacketInfo(trackIndex: 0, presentationTimestamp: nil, decodeTimestamp: nil))
    }
}
