import NIOCore
import TestSupport
import Testing

@testable import Inspection
@testable import MPEGTS

@Suite struct TransportStreamSegmentTests {
    @Test func firstPacketsAreExact() throws {
        let program = try Fixture.program(.h264)
        let unit = TransportAccessUnit(
            decodeTime: 900_000,
            presentationTime: 907_200,
            duration: 3600,
            isRandomAccess: true,
            pieces: [ByteBuffer(bytes: [UInt8](repeating: 0xAB, count: 3000))]
        )
        let packets = SeenPacket.packets(TransportStreamSegment(program, units: [[unit]]).encode().bytes)
        #expect(packets[0].pid == 0)
        #expect(packets[1].pid == 0x1000)
        #expect(packets[2].pid == 0x100)
        #expect(packets[2].isUnitStart)
        // random_access_indicator and PCR 837000, which is 0.7 s before decoding.
        #expect(packets[2].adaptationField.hex == digits("07 50 0006 62c4 7e00"))
        // Stream E0, 3013 bytes, aligned; PTS 907200, DTS 900000.
        #expect(
            packets[2].payload.prefix(20).hex
                == digits("000001 e0 0bc5 84 c0 0a 31 0037 af81 11 0037 7741 ab")
        )
        #expect(packets[2].payload.count == 176)
        #expect(packets.filter { $0.pid == 0x100 }.map(\.counter) == Array(0..<16) + Array(0..<16))
    }

    @Test func segmentsFollowEachOtherOnEveryCounter() throws {
        let program = try Fixture.program(.h264, .aac, .timedID3)
        var state: TransportStreamState?
        for number in 0..<3 as Range<Int64> {
            let start = 900_000 + number * 360_000
            let segment = TransportStreamSegment(
                program,
                units: [
                    Fixture.pictures(100, from: start),
                    Fixture.frames(187 + Int(number) % 2, from: start + 7200 + number * 60),
                    number == 1 ? [Fixture.unit(start + 9000, byteCount: 77)] : [],
                ]
            )
            let parsed = ParsedTransportStream(segment.encode().bytes, after: state)
            #expect(parsed.violations == [])
            #expect(parsed.packetCounts.values.allSatisfy { $0 % 16 == 0 })
            #expect(parsed.packetCounts[0x300] == (number == 1 ? 16 : nil))
            state = parsed.state
        }
        #expect(state?.counters.values.allSatisfy { $0 == 15 } == true)
    }

    @Test func tablesComeFirstAndSixteenTimesEvenly() throws {
        let program = try Fixture.program(.h264, .aac)
        let (bytes, _) = TransportStreamSegment(program, units: [Fixture.pictures(100), Fixture.frames(188)]).encode()
        let parsed = ParsedTransportStream(bytes)
        #expect(parsed.associationOffsets.count == 16)
        #expect(parsed.mapOffsets == parsed.associationOffsets.map { $0 + 188 })
        #expect(parsed.mapOffsets.first == 188)
        let gaps = zip(parsed.mapOffsets, parsed.mapOffsets.dropFirst() + [bytes.readableBytes]).map { $1 - $0 }
        #expect((gaps.max() ?? 0) < bytes.readableBytes / 7)
        #expect((gaps.min() ?? 0) > bytes.readableBytes / 40)
    }

    @Test func tablesAreSixteenEvenWhereThereIsLittleElse() throws {
        for count in [0, 1, 2, 5] {
            let parsed = TransportStreamSegment(try Fixture.program(.h264), units: [Fixture.pictures(count)]).parsed
            #expect(parsed.associationOffsets.count == 16)
            #expect(parsed.mapOffsets.count == 16)
            #expect(parsed.units[0x100]?.count == (count == 0 ? nil : count))
            #expect(parsed.violations.map(\.rule) == (count == 0 ? [.noClock] : []))
        }
    }

    @Test func firstPictureComesBeforeAllAudioAndIsMeasured() throws {
        let program = try Fixture.program(.aac, .h264)
        let audio = Fixture.frames(50, from: 896_000)
        let segment = TransportStreamSegment(program, units: [audio, Fixture.pictures(30)])
        let (bytes, count) = segment.encode()
        let length = try #require(count)
        // PAT, PMT and 10 000 bytes.
        #expect(length == (2 + 55) * 188)
        let head = ParsedTransportStream(bytes.getSlice(at: 0, length: length) ?? ByteBuffer())
        #expect(head.violations == [])
        #expect(head.units.keys.sorted() == [0x100])
        #expect(head.units[0x100]?.map(\.payload) == [ByteBuffer(repeating: 0, count: 10_000)])
        // The clock does not exceed the audio that was overtaken.
        #expect(segment.parsed.violations == [])
        #expect(segment.parsed.clocks.first?.time == 833_000)
    }

    @Test func segmentThatDoesNotStartWithARandomAccessPictureHasNoFirstPicture() throws {
        let program = try Fixture.program(.h264)
        let units = Array(Fixture.pictures(10).dropFirst())
        let segment = TransportStreamSegment(program, units: [units])
        #expect(segment.encode().firstPictureByteCount == nil)
        #expect(segment.parsed.violations.map(\.rule) == [.noRandomAccess])
        let audio = TransportStreamSegment(try Fixture.program(.aac), units: [Fixture.frames(9)])
        #expect(audio.encode().firstPictureByteCount == nil)
    }

    @Test func accessUnitsAreInterleavedByDecodeTime() throws {
        let program = try Fixture.program(.h264, .ac3)
        let parsed = TransportStreamSegment(program, units: [Fixture.pictures(50), Fixture.frames(90)]).parsed
        let units = parsed.units.values.flatMap(\.self).sorted { $0.range.lowerBound < $1.range.lowerBound }
        let times = units.compactMap(\.decodeTime)
        #expect(times == times.sorted())
        #expect(zip(units, units.dropFirst()).allSatisfy { $0.range.upperBound <= $1.range.lowerBound })
    }

    @Test(arguments: [
        (ElementaryStream.Kind.h264, 0xE0 as UInt8), (.hevc, 0xE0), (.aac, 0xC0), (.mpegAudio, 0xC0), (.ac3, 0xBD),
        (.eac3, 0xBD), (.timedID3, 0xBD),
    ])
    func streamsHaveTheIdentifierOfTheirKind(_ kind: ElementaryStream.Kind, _ streamID: UInt8) throws {
        let parsed = TransportStreamSegment(try Fixture.program(kind), units: [[Fixture.unit(90_000)]]).parsed
        let unit = try #require(parsed.units.values.first?.first)
        #expect(unit.streamID == streamID)
        #expect(unit.isAligned)
        #expect(!unit.isRandomAccess)
    }

    @Test func onlyLongPicturesLeaveTheirLengthOut() throws {
        for (byteCount, stated) in [(65_522, 65_535), (65_523, 0), (300_000, 0)] {
            let units = [Fixture.unit(90_000, offset: 3600, isRandomAccess: true, byteCount: byteCount)]
            let parsed = TransportStreamSegment(try Fixture.program(.h264), units: [units]).parsed
            #expect(parsed.violations == [])
            #expect(parsed.units[0x100]?.map(\.statedLength) == [stated])
            #expect(parsed.units[0x100]?.map(\.payload.readableBytes) == [byteCount])
        }
    }

    @Test func longMetadataGoesOnInPacketsWithoutTimestamp() throws {
        var generator = SeededGenerator(seed: 5)
        let tag = ByteBuffer(bytes: generator.bytes(200_000))
        let unit = TransportAccessUnit(
            decodeTime: 90_000,
            presentationTime: 90_000,
            duration: 0,
            isRandomAccess: true,
            pieces: [tag]
        )
        let segment = TransportStreamSegment(try Fixture.program(.timedID3), units: [[unit]])
        let starts = SeenPacket.packets(segment.encode().bytes).filter { $0.pid == 0x300 && $0.isUnitStart }
        #expect(starts.map { $0.payload.dropFirst(6).prefix(3).hex } == ["848005", "800000", "800000", "800000"])
        let parsed = segment.parsed
        #expect(parsed.violations == [])
        #expect(parsed.units[0x300]?.map(\.payload) == [tag])
    }

    @Test func framesShareAPacketForATenthOfASecond() throws {
        let parsed = TransportStreamSegment(try Fixture.program(.aac), units: [Fixture.frames(10, byteCount: 200)])
            .parsed
        #expect(parsed.units[0x200]?.map(\.payload.readableBytes) == [800, 800, 400])
        #expect(parsed.units[0x200]?.map(\.decodeTime) == [907_200, 914_880, 922_560])
        #expect(parsed.violations == [])
        // Two of AC-3 at 448 kbit/s are too long together.
        let ac3 = (0..<3).map { Fixture.unit(90_000 + 2880 * $0, duration: 2880, byteCount: 1792) }
        let parsedAC3 = TransportStreamSegment(try Fixture.program(.ac3), units: [ac3]).parsed
        #expect(parsedAC3.units[0x200]?.map(\.payload.readableBytes) == [1792, 1792, 1792])
    }

    @Test func frameAfterAHoleStartsAPacket() throws {
        var frames = Fixture.frames(4, byteCount: 200)
        for index in 2..<4 {
            frames[index].decodeTime += 1920
            frames[index].presentationTime += 1920
        }
        let parsed = TransportStreamSegment(try Fixture.program(.aac), units: [frames]).parsed
        #expect(parsed.units[0x200]?.map(\.presentationTime) == [907_200, 912_960])
    }

    @Test func unknownDurationKeepsFramesApart() throws {
        let frames = (0..<3).map { Fixture.unit(90_000 + 1920 * $0, duration: 0, byteCount: 20) }
        let parsed = TransportStreamSegment(try Fixture.program(.aac), units: [frames]).parsed
        #expect(parsed.units[0x200]?.count == 3)
    }
}
