import NIOCore
import Testing

@testable import Inspection
@testable import MPEGTS

@Suite struct ClockTests {
    @Test func clockIsOnEveryPictureSevenTenthsOfASecondBeforeDecoding() throws {
        let parsed = TransportStreamSegment(
            try Fixture.program(.h264, .aac),
            units: [Fixture.pictures(50), Fixture.frames(94)]
        ).parsed
        #expect(parsed.violations == [])
        #expect(parsed.map?.clockPID == 0x100)
        let times = stride(from: 837_000, to: 837_000 + 50 * 3600, by: 3600)
        #expect(parsed.clocks.map { Int($0.time) } == Array(times))
        #expect(parsed.clocks.map(\.offset) == parsed.units[0x100]?.map(\.range.lowerBound))
    }

    @Test func slowPicturesHavePacketsWithNothingButTheClockBetweenThem() throws {
        let pictures = [
            Fixture.unit(900_000, duration: 90_000, isRandomAccess: true),
            Fixture.unit(990_000, duration: 90_000, byteCount: 3000),
        ]
        let segment = TransportStreamSegment(try Fixture.program(.h264, .aac), units: [pictures, Fixture.frames(90)])
        let parsed = segment.parsed
        #expect(parsed.violations == [])
        // Up to and excluding the next segment's first, at 100 ms after the last.
        let times = stride(from: 837_000, to: 837_000 + 20 * 9000, by: 9000)
        #expect(parsed.clocks.map { Int($0.time) } == Array(times))
        let clockPackets = SeenPacket.packets(segment.encode().bytes).filter { $0.payload.isEmpty }
        #expect(clockPackets.count == 18)
        #expect(clockPackets.allSatisfy { $0.pid == 0x100 && $0.adaptationField.count == 184 })
        // They do not count for continuity.
        #expect(parsed.packetCounts[0x100] == 32)
    }

    @Test func clockRunsOnAcrossSegmentsOfSlowPictures() throws {
        let program = try Fixture.program(.h264)
        var state: TransportStreamState?
        for start in [900_000, 1_080_000] as [Int64] {
            let units = [
                Fixture.unit(start, duration: 90_000, isRandomAccess: true),
                Fixture.unit(start + 90_000, duration: 90_000),
            ]
            let parsed = ParsedTransportStream(
                TransportStreamSegment(program, units: [units]).encode().bytes,
                after: state
            )
            #expect(parsed.violations == [])
            state = parsed.state
        }
    }

    @Test func clockIsOnItsPIDWithoutAnyPicture() throws {
        let segment = TransportStreamSegment(try Fixture.program(.h264, .aac), units: [[], Fixture.frames(94)])
        let parsed = segment.parsed
        #expect(parsed.violations == [])
        #expect(parsed.map?.clockPID == 0x100)
        #expect(parsed.packetCounts[0x100] == nil)
        #expect(parsed.clocks.count == 21)
        // A counter counts payload only, and the last was 15.
        let packets = SeenPacket.packets(segment.encode().bytes).filter { $0.pid == 0x100 }
        #expect(packets.allSatisfy { $0.counter == 15 })
    }

    @Test func audioCarriesTheClockWhereItIsAlone() throws {
        let parsed = TransportStreamSegment(try Fixture.program(.aac), units: [Fixture.frames(188)]).parsed
        #expect(parsed.violations == [])
        #expect(parsed.clocks.count == parsed.units[0x200]?.count)
    }

    @Test func timesWrapInTheMiddleOfASegment() throws {
        let start = 5 << 33 - 90_000 as Int64
        let parsed = TransportStreamSegment(
            try Fixture.program(.h264, .aac),
            units: [Fixture.pictures(50, from: start), Fixture.frames(94, from: start + 7200)]
        ).parsed
        #expect(parsed.violations == [])
        let units = try #require(parsed.units[0x100])
        #expect(units.map(\.decodeTime) == (0..<50).map { (start + 3600 * $0) & 0x1_FFFF_FFFF })
        #expect(units.map(\.presentationTime) == (0..<50).map { (start + 7200 + 3600 * $0) & 0x1_FFFF_FFFF })
        #expect(units.first?.decodeTime == 8_589_844_592)
        #expect(units.last?.decodeTime == 86_400)
        #expect(parsed.clocks.map(\.time) == (0..<50).map { (start - 63_000 + 3600 * $0) & 0x1_FFFF_FFFF })
    }

    @Test func timesBeforeTheEpochWrap() throws {
        let parsed = TransportStreamSegment(try Fixture.program(.h264), units: [Fixture.pictures(3, from: 0)]).parsed
        #expect(parsed.violations == [])
        #expect(parsed.clocks.first?.time == 8_589_871_592)
    }

    @Test func brokenTimesDoNotMakeEndlessClocks() throws {
        for time in [Int64.max, Int64.min, 1 << 40] {
            let units = [Fixture.unit(0, isRandomAccess: true), Fixture.unit(time, duration: .max)]
            let bytes = TransportStreamSegment(try Fixture.program(.h264), units: [units]).encode().bytes
            #expect(bytes.readableBytes < 188 * 1000)
        }
    }
}
