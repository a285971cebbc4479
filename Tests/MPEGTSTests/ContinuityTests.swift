import NIOCore
import TestSupport
import Testing

@testable import Inspection
@testable import MPEGTS

/// Every PID of a segment has a multiple of 16 packets with payload.
@Suite struct ContinuityTests {
    /// Payload bytes of the packets of a PID.
    private func payloads(_ bytes: ByteBuffer, _ pid: UInt16) -> [Int] {
        SeenPacket.packets(bytes).filter { $0.pid == pid }.map(\.payload.count)
    }

    @Test func lastPacketsAreSplitDownToSingleBytes() throws {
        // 14 bytes of header and 1000 of payload need 6 packets with the clock's 8 bytes.
        let segment = TransportStreamSegment(
            try Fixture.program(.h264),
            units: [[Fixture.unit(90_000, byteCount: 1000)]]
        )
        let (bytes, _) = segment.encode()
        #expect(payloads(bytes, 0x100) == [176, 184, 184, 184, 184, 92] + [Int](repeating: 1, count: 10))
    }

    @Test func tinyUnitHasItsHeaderSpread() throws {
        let program = try Fixture.program(.aac)
        for byteCount in 0...20 {
            let segment = TransportStreamSegment(program, units: [[Fixture.unit(90_000, byteCount: byteCount)]])
            let (bytes, _) = segment.encode()
            let payloads = payloads(bytes, 0x200)
            #expect(payloads.count == 16)
            #expect(payloads.allSatisfy { $0 > 0 })
            // Header stuffing makes up for what 14 bytes of header and the payload do not have.
            #expect(payloads.reduce(0, +) == max(16, 14 + byteCount))
            let parsed = ParsedTransportStream(bytes)
            #expect(parsed.violations == [])
            #expect(parsed.units[0x200]?.map(\.payload.readableBytes) == [byteCount])
        }
    }

    @Test func headerStaysWholeWhereAnEarlierUnitHasBytesToSpare() throws {
        let units = [
            Fixture.unit(90_000, byteCount: 500), Fixture.unit(93_600, byteCount: 500),
            Fixture.unit(97_200, byteCount: 2),
        ]
        let segment = TransportStreamSegment(try Fixture.program(.timedID3), units: [units])
        let (bytes, _) = segment.encode()
        // The first carries the clock: only metadata is there to carry it.
        #expect(payloads(bytes, 0x300) == [176, 184, 154, 176, 184, 145] + [Int](repeating: 1, count: 9) + [16])
        #expect(ParsedTransportStream(bytes).violations == [])
    }

    @Test func everySizeEndsWhereItStarted() throws {
        let program = try Fixture.program(.h264)
        for byteCount in Array(0..<400) + stride(from: 400, to: 9000, by: 61) {
            let units = [Fixture.unit(90_000, offset: 3600, isRandomAccess: true, byteCount: byteCount)]
            let (bytes, firstPicture) = TransportStreamSegment(program, units: [units]).encode()
            let parsed = ParsedTransportStream(bytes)
            #expect(parsed.violations == [])
            #expect(parsed.packetCounts[0x100].map { $0 % 16 } == 0)
            #expect(parsed.units[0x100]?.first?.payload == units[0].payload)
            #expect(parsed.units[0x100]?.first?.range.upperBound == firstPicture)
            // Never more packets than needed.
            let needed = (19 + byteCount + 8 + 183) / 184
            #expect(parsed.packetCounts[0x100] == (needed + 15) / 16 * 16)
        }
    }
}
