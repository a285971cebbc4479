import MediaCore
import TestSupport
import Testing

@testable import Ingest

@Suite struct FrameClockTests {
    /// An ADTS header: AAC-LC, stereo, of 64 bytes.
    private func header(rateIndex: UInt8, blocks: UInt8 = 1) -> [UInt8] {
        [0xFF, 0xF1, 0x40 | rateIndex << 2, 0x80, 0x08, 0x1F, 0xFC | (blocks - 1)]
    }

    private func packet(_ timestamp: Int64?) -> PacketInfo {
        PacketInfo(trackIndex: 1, presentationTimestamp: timestamp, decodeTimestamp: timestamp)
    }

    private func timed(_ stated: [Int64?], header: [UInt8], modulus: Int64? = nil) -> [PacketInfo] {
        var clock = FrameClock()
        return stated.map { timestamp in
            var packet = packet(timestamp)
            clock.packetRead(&packet, payload: header.span.bytes, modulus: modulus)
            #expect(packet.presentationTimestamp == packet.decodeTimestamp)
            return packet
        }
    }

    @Test func framesFollowEachOtherFromTheOneThatIsStamped() {
        let packets = timed([133_200, nil, nil, 150_000, nil], header: header(rateIndex: 3))
        #expect(packets.map(\.decodeTimestamp) == [133_200, 135_120, 137_040, 150_000, 151_920])
        #expect(packets.map(\.duration) == [1920, 1920, 1920, 1920, 1920])
    }

    @Test func fractionsOfATickAreCarriedOn() {
        // 1024 samples at 44.1 kHz are 2089.796 ticks.
        let packets = timed([0] + Array(repeating: nil, count: 441), header: header(rateIndex: 4))
        #expect(packets[1].decodeTimestamp == 2090)
        #expect(packets[441].decodeTimestamp == 921_600)
        #expect(packets.dropLast().map(\.duration).reduce(0, +) == 921_600)
    }

    @Test func aFrameOfSeveralBlocksIsAsManyTimesAsLong() {
        #expect(timed([0, nil], header: header(rateIndex: 3, blocks: 4)).map(\.decodeTimestamp) == [0, 7680])
    }

    @Test func aPacketOfSeveralFramesIsAsLongAsAllOfThem() {
        let frame = header(rateIndex: 4) + [UInt8](repeating: 0, count: 57)
        let packets = timed([0, nil], header: frame + frame + frame)
        // 3 · 1024 samples at 44.1 kHz are 6269.39 ticks.
        #expect(packets.map(\.decodeTimestamp) == [0, 6269])
        #expect(packets.map(\.duration) == [6269, 6270])
    }

    @Test func timestampsWrap() {
        let modulus: Int64 = 1 << 33
        let packets = timed([modulus - 1000, nil], header: header(rateIndex: 3), modulus: modulus)
        #expect(packets.map(\.decodeTimestamp) == [modulus - 1000, 920])
    }

    @Test(
        arguments: [[], [0xFF], [0xFF, 0xF1, 0x7C, 0, 0, 0, 0], [0x21, 0x10, 0x04, 0x60, 0x8C, 0x1C, 0]] as [[UInt8]]
    )
    func withoutAHeaderNothingIsSaid(payload: [UInt8]) {
        #expect(timed([0, nil], header: payload) == [packet(0), packet(nil)])
    }

    @Test func framesBeforeAnyTimestampStayWithoutOne() {
        #expect(timed([nil, 0], header: header(rateIndex: 3)).map(\.decodeTimestamp) == [nil, 0])
    }
}
