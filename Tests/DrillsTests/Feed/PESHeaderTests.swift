import MPEGTS
import MediaCore
import Testing

@testable import Drills

@Suite struct PESHeaderTests {
    @Test func bothTimestamps() {
        let header = PESHeader(streamID: 0xE0, times: .init(presentation: 133_200, decode: 126_000))
        #expect(header.bytes(payloadByteCount: 4).hex == "000001e0001184c00a310009" + "10a1" + "110007d861")
    }

    @Test func oneTimestampWhereTheyAreTheSame() {
        let header = PESHeader(streamID: 0xC0, times: .init(presentation: 0, decode: 0))
        #expect(header.bytes(payloadByteCount: 1).hex == "000001c000098480052100010001")
    }

    @Test func lengthIsLeftOutWhereItDoesNotFit() {
        let header = PESHeader(streamID: 0xE0, times: .init(presentation: 0, decode: 0))
        #expect(header.bytes(payloadByteCount: 65_527)[4...5] == [0xFF, 0xFF])
        #expect(header.bytes(payloadByteCount: 65_528)[4...5] == [0, 0])
    }

    @Test(arguments: [0, 1, 0x7FFF, 0x8000, 1 << 30, 0x1_5555_5555, (1 << 33) - 1] as [Int64])
    func timestampsComeBack(timestamp: Int64) throws {
        let header = PESHeader(
            streamID: 0xE0,
            times: .init(presentation: timestamp, decode: (timestamp - 3600) & (Timestamps.transportStreamModulus - 1))
        )
        let (read, payload) = try #require(PESHeader.read(header.bytes(payloadByteCount: 2) + [7, 8]))
        #expect(read == header)
        #expect(payload == 19..<21)
    }

    @Test(arguments: 0...19)
    func cutOffHeaderIsRefused(count: Int) {
        let bytes = PESHeader(streamID: 0xE0, times: .init(presentation: 1, decode: 0)).bytes(payloadByteCount: 1)
        #expect(PESHeader.read(Array(bytes.prefix(count))) == nil)
    }
}
