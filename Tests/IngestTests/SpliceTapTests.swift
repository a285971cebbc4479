import Foundation
import MPEGTS
import MediaCore
import Testing

@testable import Ingest

/// Sections that libavformat does not show, found in the bytes that it reads.
@Suite(.timeLimit(.minutes(5)))
struct SpliceTapTests {
    private static let pid: UInt16 = 500
    private static let length = TransportPacket.byteCount

    private static func section(_ number: UInt8) -> [UInt8] {
        [0xFC, 0x30, 14] + [UInt8](repeating: number, count: 14)
    }

    /// The sample with a section behind every so many packets, and before how many PES packets each stands.
    private static func stream() throws -> (bytes: [UInt8], places: [Int]) {
        let sample = Array(try Data(contentsOf: URL(filePath: sample)))
        var (bytes, places): ([UInt8], [Int]) = ([], [])
        var units = 0
        for (index, start) in stride(from: 0, to: sample.count, by: length).enumerated() {
            if index % 500 == 499 {
                let number = UInt8(places.count)
                let payload = [0] + section(number) + [UInt8](repeating: 0xFF, count: 166)
                bytes += TransportPacket.bytes(pid: pid, isUnitStart: true, counter: number, payload: payload)
                places.append(units)
            }
            let packet = sample[start..<start + length]
            let id = UInt16(packet[start + 1] & 0x1F) << 8 | UInt16(packet[start + 2])
            if packet[start + 1] & 0x40 != 0, (0x100...0x102).contains(id) { units += 1 }
            bytes += packet
        }
        return (bytes, places)
    }

    @Test func eachIsDeliveredWhereItStands() async throws {
        try await withTemporaryFolder { folder in
            let file = "\(folder)/told.ts"
            let (bytes, places) = try Self.stream()
            try Data(bytes).write(to: URL(filePath: file))
            let record = await read(file, options: .init(splicePIDs: [.number(Int(Self.pid))]))
            #expect(record.splices.map(\.bytes) == places.indices.map { Self.section(UInt8($0)) })
            #expect(record.splices.allSatisfy { $0.program == nil && $0.shift == 0 })
            // Of each stream one packet may have begun that is not whole.
            for (splice, units) in zip(record.splices, places) { #expect((units - 3...units).contains(splice.packets)) }
            #expect(record.packets.count == 200 + 375 * 2 || record.packets.count > 240)

            let silent = await read(file)
            #expect(silent.splices.isEmpty && silent.packets.count == record.packets.count)
        }
    }

    /// In every round of a loop, moved as its packets are.
    @Test func aLoopTellsThemAgain() async throws {
        try await withTemporaryFolder { folder in
            let file = "\(folder)/told.ts"
            let (bytes, places) = try Self.stream()
            try Data(bytes).write(to: URL(filePath: file))
            let options = InputReader.Options(isLooping: true, splicePIDs: [.number(Int(Self.pid))])
            let record = await read(file, options: options) { $0.splices.count >= 3 * places.count }
            let all = record.splices.prefix(3 * places.count)
            #expect(all.map(\.bytes) == (0..<3).flatMap { _ in places.indices.map { Self.section(UInt8($0)) } })
            let shifts = Set(all.map(\.shift)).sorted()
            #expect(shifts == [0, 720_000, 1_440_000])
        }
    }

    @Test func whatCannotBeOpenedIsLostAsEver() async {
        let options = InputReader.Options(splicePIDs: [.automatic])
        let record = await read("/nowhere.ts", options: options) { !$0.losses.isEmpty }
        #expect(record.losses.first?.isEmpty == false)
    }
}
