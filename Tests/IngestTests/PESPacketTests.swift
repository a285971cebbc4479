import Foundation
import MediaCore
import TestSupport
import Testing

@testable import Ingest

/// Feeds whose PES packets are not one access unit each.
@Suite(.timeLimit(.minutes(5)))
struct PESPacketTests {
    private struct Unit: Equatable {
        var presentation: Int64?
        var decode: Int64?
        var bytes: [UInt8]
    }

    /// The sample's pictures, one access unit each.
    private func sampleUnits() async -> [Unit] { units(of: await read(sample)) }

    private func units(of record: Recorder.Record) -> [Unit] {
        zip(record.packets, record.payloads).filter { $0.0.trackIndex == 0 }.map {
            Unit(presentation: $0.presentationTimestamp, decode: $0.decodeTimestamp, bytes: $1)
        }
    }

    /// Reads a stream that `body` writes.
    private func readStream(_ body: (inout TransportStreamWriter) -> Void) async throws -> [Unit] {
        var writer = TransportStreamWriter()
        body(&writer)
        let stream = writer.bytes
        return try await withTemporaryFolder { folder in
            try Data(stream).write(to: URL(filePath: "\(folder)/feed.ts"))
            return units(of: await read("\(folder)/feed.ts"))
        }
    }

    @Test func oneAccessUnitAPacketIsReadAsItIs() async throws {
        let units = await sampleUnits()
        let read = try await readStream { writer in
            for unit in units { writer.writePES(unit.bytes, timestamps: times(unit)) }
        }
        #expect(units.count == 200)
        #expect(read == units)
    }

    @Test func twoAccessUnitsAPacketComeTogether() async throws {
        let units = await sampleUnits()
        let pairs = stride(from: 0, to: units.count, by: 2).map { index in
            Unit(
                presentation: units[index].presentation,
                decode: units[index].decode,
                bytes: units[index].bytes + units[index + 1].bytes
            )
        }
        let read = try await readStream { writer in
            for pair in pairs { writer.writePES(pair.bytes, timestamps: times(pair)) }
        }
        #expect(read == pairs)
    }

    @Test func anAccessUnitOverTwoPacketsIsJoined() async throws {
        let units = await sampleUnits()
        var generator = SeededGenerator(seed: 5)
        let read = try await readStream { writer in
            for unit in units {
                let cut = Int.random(in: 6..<unit.bytes.count, using: &generator)
                writer.writePES(Array(unit.bytes[..<cut]), timestamps: times(unit))
                writer.writePES(Array(unit.bytes[cut...]), timestamps: nil)
            }
        }
        // Nothing tells before the second packet that there is more of the first.
        #expect(read.dropFirst() == units.dropFirst())
        #expect(read[0].decode == units[0].decode && units[0].bytes.starts(with: read[0].bytes))
    }

    /// A multiplex changes the maps of its other programs whenever it likes, also within a picture or a frame of ours.
    @Test(arguments: [0x1B, 0x0F] as [UInt8])
    func theMapOfAnotherProgramMayChangeWithinAFrame(streamType: UInt8) async throws {
        let record = await read(sample)
        let track = streamType == 0x1B ? 0 : 1
        let units = zip(record.packets, record.payloads).filter { $0.0.trackIndex.value == track }
        func stream(changing: Bool) async throws -> [Unit] {
            var writer = TransportStreamWriter(streamType: streamType)
            for (index, (info, bytes)) in units.enumerated() {
                let cut = bytes.count - 40
                let times = (info.presentationTimestamp ?? 0, info.decodeTimestamp ?? 0)
                writer.writePES(Array(bytes[..<cut]), timestamps: times)
                writer.writePES(Array(bytes[cut...]), timestamps: nil)
                // A PES packet is whole when the next one begins: the map comes ahead of the second one.
                if changing { writer.writeOtherProgram(version: UInt8(index % 31 + 1)) }
            }
            let stream = writer.bytes
            return try await withTemporaryFolder { folder in
                try Data(stream).write(to: URL(filePath: "\(folder)/feed.ts"))
                return self.units(of: await read("\(folder)/feed.ts"))
            }
        }
        let (undisturbed, disturbed) = (try await stream(changing: false), try await stream(changing: true))
        #expect(undisturbed.count >= units.count)
        // Without a comment of thousands of bytes.
        let isSame = disturbed == undisturbed
        #expect(isSame, "\(disturbed.map(\.bytes.count).reduce(0, +)) bytes in \(disturbed.count) packets")
    }

    @Test func accessUnitsMayBeginAnywhere() async throws {
        let units = await sampleUnits()
        let stream = units.flatMap(\.bytes)
        var starts: [(offset: Int, unit: Unit)] = []
        var offset = 0
        for unit in units {
            starts.append((offset, unit))
            offset += unit.bytes.count
        }
        let read = try await readStream { writer in
            for start in stride(from: 0, to: stream.count, by: 4001) {
                let range = start..<min(start + 4001, stream.count)
                let first = starts.first { range.contains($0.offset) }
                writer.writePES(Array(stream[range]), timestamps: first.map { times($0.unit) })
            }
        }
        // Whatever the packets are cut into, all bytes but those of the first two come, and under the right times.
        #expect(read.flatMap(\.bytes).suffix(stream.count / 2).elementsEqual(stream.suffix(stream.count / 2)))
        for packet in read.dropFirst() {
            let unit = units.first { $0.decode == packet.decode }
            #expect(
                unit.map { packet.bytes.starts(with: $0.bytes.dropFirst()) || packet.bytes.starts(with: $0.bytes) }
                    == true
            )
        }
    }

    @Test func aPictureLongerThanAnyBufferIsOne() async throws {
        let unit = [0, 0, 0, 1, 9, 0xF0, 0, 0, 0, 1, 0x65, 0x88] + [UInt8](repeating: 7, count: 3_000_000)
        let read = try await readStream { writer in
            for time in 0..<3 as Range<Int64> {
                writer.writePES(unit, timestamps: (time * 3600 + 7200, time * 3600 + 3600))
            }
        }
        #expect(read.map(\.bytes.count) == [unit.count, unit.count, unit.count])
        #expect(read.map(\.decode) == [3600, 7200, 10_800])
    }

    private func times(_ unit: Unit) -> (presentation: Int64, decode: Int64) {
        (unit.presentation ?? 0, unit.decode ?? 0)
    }
}
