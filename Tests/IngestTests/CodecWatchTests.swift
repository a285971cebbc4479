import MediaCore
import Testing

@testable import Ingest

@Suite struct CodecWatchTests {
    private let avc: [UInt8] = [0, 0, 0, 1, 0x09, 0xF0, 0, 0, 1, 0x41, 0x9A]
    private let hevc: [UInt8] = [0, 0, 0, 1, 0x46, 0x01, 0x50, 0, 0, 1, 0x02, 0x01]
    private let adts: [UInt8] = [0xFF, 0xF1, 0x4C, 0x80, 0x01, 0x7F, 0xFC, 0x21, 0x10, 0x04, 0x60]
    /// 48 kHz, 192 kbit/s, bsid 8.
    private let ac3: [UInt8] = [0x0B, 0x77, 0, 0, 0x14, 0x40, 0x43, 0xE1]

    private func look(_ packets: [[UInt8]], _ codec: InputTrack.Codec) -> [InputTrack.Codec?] {
        var watch = CodecWatch()
        return packets.map { watch.look(at: $0.span.bytes, of: codec) }
    }

    @Test func whatIsAsItIsCalledIsLeftAlone() {
        #expect(look([avc, avc, avc, avc], .h264) == [nil, nil, nil, nil])
        #expect(look([hevc, hevc, hevc], .hevc) == [nil, nil, nil])
        #expect(look([adts, adts, adts, adts], .aac) == [nil, nil, nil, nil])
        #expect(look([ac3, ac3, ac3, ac3], .ac3) == [nil, nil, nil, nil])
        #expect(look([ac3, ac3, ac3, ac3], .eac3) == [nil, nil, nil, nil])
    }

    @Test func anotherCodecIsNoticed() {
        #expect(look([avc, hevc, hevc], .h264) == [nil, nil, .hevc])
        #expect(look([avc, avc], .hevc) == [nil, .h264])
        #expect(look([ac3, ac3, ac3], .aac) == [nil, nil, .ac3])
        #expect(look([adts, adts, adts], .ac3) == [nil, nil, .aac])
    }

    @Test func audioThatBecomesVideoIsNoticedAndTheOtherWayRound() {
        #expect(look([adts, avc, avc, avc], .aac) == [nil, nil, nil, .h264])
        #expect(look([hevc, hevc, hevc], .ac3) == [nil, nil, .hevc])
        #expect(look([avc, adts, adts, adts], .h264) == [nil, nil, nil, .aac])
        #expect(look([adts, avc, adts, avc, avc, adts], .aac) == [nil, nil, nil, nil, nil, nil])
    }

    @Test func oneDamagedPacketProvesNothing() {
        #expect(look([avc, hevc, avc, hevc, avc], .h264) == [nil, nil, nil, nil, nil])
        #expect(look([adts, ac3, adts, ac3, ac3, adts], .aac) == [nil, nil, nil, nil, nil, nil])
        #expect(look([[], [0], [0, 0, 0, 1], [0xFF], [0x0B, 0x77]], .h264) == [nil, nil, nil, nil, nil])
    }
}
