import MediaCore
import Testing

@testable import Drills

@Suite struct PESHeaderTests {
    @Test func bothTimestamps() {
        let header = PESHeader(streamID: 0xE0, presentationTimestamp: 133_200, decodeTimestamp: 126_000)
        #expect(header.bytes(payloadCount: 4).hex == "000001e0001184c00a310009" + "10a1" + "110007d861")
    }

    @Test func oneTimestampWhereTheyAreTheSame() {
        let header = PESHeader(streamID: 0xC0, presentationTimestamp: 0, decodeTimestamp: 0)
        #expect(header.bytes(payloadCount: 1).hex == "000001c000098480052100010001")
    }

    @Test func lengthIsLeftOutWhereItDoesNotFit() {
        let header = PESHeader(streamID: 0xE0, presentationTimestamp: 0, decodeTimestamp: 0)
        #expect(header.bytes(payloadCount: 65_527)[4...5] == [0xFF, 0xFF])
        #expect(header.bytes(payloadCount: 65_528)[4...5] == [0, 0])
    }

    @Test(arguments: [0, 1, 0x7FFF, 0x8000, 1 << 30, 0x1_5555_5555, (1 << 33) - 1] as [Int64])
    func timestampsComeBack(timestamp: Int64) throws {
        let header = PESHeader(
            streamID: 0xE0,
            presentationTimestamp: timestamp,
            decodeTimestamp: (timestamp - 3600) & (PESHeader.modulus - 1)
        )
        let (read, payload) = try #require(PESHeader.read(header.bytes(payloadCount: 2) + [7, 8]))
        #expect(read == header)
        #expect(payload == 19..<21)
    }

    @Test(arguments: 0...19)
    func cutOffHeaderIsRefused(count: Int) {
        let bytes = PESHeader(streamID: 0xE0, presentationTimestamp: 1, decodeTimestamp: 0).bytes(payloadCount: 1)
        #expect(PESHeader.read(Array(bytes.prefix(count))) == nil)
    }
}
