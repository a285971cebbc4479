import NIOCore
import TestSupport
import Testing

@testable import Inspection
@testable import MPEGTS

/// Segments at random: the reader finds what was written, and no rule broken.
@Suite struct PropertyTests {
    struct RandomSegment {
        var program: TransportProgram
        var units: [[TransportAccessUnit]]

        init(
            from start: Int64,
            pictures: Int,
            using generator: inout SeededGenerator,
            _ kinds: [ElementaryStream.Kind]
        ) throws {
            program = try TransportProgram(kinds.map { ElementaryStream($0) })
            units = kinds.map { kind in
                let duration: Int64 = kind.isVideo ? 3600 : kind.isAudio ? 1920 : 40_000
                let count = Int(Int64(pictures) * 3600 / duration)
                return (0..<count).map { index in
                    let range = kind.isVideo ? 1...30_000 : kind.isAudio ? 1...1_500 : 1...300
                    let size = Int.random(in: 1...range.upperBound, using: &generator)
                    return TransportAccessUnit(
                        decodeTime: start + Int64(index) * duration,
                        presentationTime: start + Int64(index) * duration
                            + (kind.isVideo ? Int64.random(in: 0...4, using: &generator) * 3600 : 0),
                        duration: kind == .timedID3 ? 0 : duration,
                        isRandomAccess: index == 0 || kind.isAudio && Bool.random(using: &generator),
                        pieces: [ByteBuffer(bytes: generator.bytes(size))]
                    )
                }
            }
        }
    }

    private static let combinations: [[ElementaryStream.Kind]] = [
        [.h264], [.h264, .aac], [.hevc, .ac3, .eac3], [.aac], [.h264, .aac, .mpegAudio, .timedID3], [.timedID3, .aac],
    ]

    @Test(arguments: 0..<12)
    func readerFindsWhatWasWritten(_ seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let kinds = Self.combinations[seed % Self.combinations.count]
        var state: TransportStreamState?
        // Times wrap in the second of three segments.
        var start = 3 << 33 - Int64.random(in: 90_000...150_000, using: &generator)
        for _ in 0..<3 {
            let pictures = Int.random(in: 25...40, using: &generator)
            let random = try RandomSegment(from: start, pictures: pictures, using: &generator, kinds)
            let (bytes, firstPicture) = TransportStreamSegment(random.program, units: random.units).encode()
            let parsed = ParsedTransportStream(bytes, after: state)
            #expect(parsed.violations == [])
            for (pid, units) in zip(random.program.pids, random.units) {
                let found = parsed.units[pid] ?? []
                #expect(parsed.packetCounts[pid, default: 0] % 16 == 0)
                #expect(
                    parsed.elementaryStream(pid)
                        == units.reduce(into: ByteBuffer()) { $0.writeImmutableBuffer($1.payload) }
                )
                let times = Set(units.map { $0.presentationTime & 0x1_FFFF_FFFF })
                #expect(found.allSatisfy { $0.presentationTime.map(times.contains) == true })
            }
            if kinds[0].isVideo {
                #expect(parsed.units[random.program.pids[0]]?.map(\.payload) == random.units[0].map(\.payload))
                #expect(firstPicture == parsed.units[random.program.pids[0]]?.first?.range.upperBound)
            }
            state = parsed.state
            start += Int64(pictures) * 3600
            // Audio ends with the segment or a frame later.
            for (pid, units) in zip(random.program.pids, random.units)
            where units.last.map({ $0.decodeTime >= start }) == true {
                state?.decodeTimes[pid] = nil
            }
        }
    }

    @Test func equalAccessUnitsGiveEqualBytes() throws {
        var (first, second) = (SeededGenerator(seed: 9), SeededGenerator(seed: 9))
        let one = try RandomSegment(from: 0, pictures: 30, using: &first, [.h264, .aac])
        let other = try RandomSegment(from: 0, pictures: 30, using: &second, [.h264, .aac])
        let bytes = TransportStreamSegment(one.program, units: one.units).encode().bytes
        #expect(bytes == TransportStreamSegment(other.program, units: other.units).encode().bytes)
    }

    @Test func bufferThatNobodyElseHasIsWrittenOver() throws {
        var generator = SeededGenerator(seed: 9)
        let random = try RandomSegment(from: 0, pictures: 30, using: &generator, [.h264, .aac])
        let segment = TransportStreamSegment(random.program, units: random.units)
        let bytes = segment.encode().bytes
        let room = ByteBuffer(repeating: 0xFF, count: bytes.readableBytes + 100)
        let address = room.withUnsafeReadableBytes { $0.baseAddress }
        let again = segment.encode(into: consume room).bytes
        #expect(again == bytes)
        #expect(again.withUnsafeReadableBytes { $0.baseAddress } == address)
    }
}
