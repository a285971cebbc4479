import NIOCore
import TestSupport
import Testing

@testable import Inspection
@testable import MPEGTS

/// Segments changed at random: nothing traps, and nothing that is lost goes unnoticed.
@Suite struct MalformedInputTests {
    private func segment() throws -> [UInt8] {
        let program = try TransportProgram([.init(.h264), .init(.aac, language: "eng"), .init(.timedID3)])
        let units = [Fixture.pictures(12, byteCount: 150), Fixture.frames(20), [Fixture.unit(910_000, byteCount: 40)]]
        return Array(TransportStreamSegment(program, units: units).encode().bytes.readableBytesView)
    }

    @Test func nothingTraps() throws {
        let segment = try segment()
        let intact = ParsedTransportStream(ByteBuffer(bytes: segment))
        #expect(intact.violations == [])
        var generator = SeededGenerator(seed: 20_261_121)
        var noticed = 0
        for _ in 0..<800 {
            var bytes = segment
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                // Mostly heads of packets, where the structure is.
                let packet = Int.random(in: 0..<(bytes.count / 188), using: &generator) * 188
                let index = packet + Int.random(in: 0..<(Bool.random(using: &generator) ? 30 : 188), using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
                case 2: bytes[index] = [0, 0x7F, 0x80, 0xFF].randomElement(using: &generator) ?? 0
                default: bytes.removeSubrange(packet..<(packet + 188))
                }
            }
            let parsed = ParsedTransportStream(ByteBuffer(bytes: bytes), after: intact.state)
            let carried = parsed.units.values.joined().reduce(0) { $0 + $1.payload.readableBytes }
            #expect(carried <= bytes.count)
            _ = parsed.violations.map(\.description)
            if ParsedTransportStream(ByteBuffer(bytes: bytes)).violations != [] { noticed += 1 }
        }
        #expect(noticed > 500)
    }

    @Test func everyCutIsNoticed() throws {
        let segment = try segment()
        for count in stride(from: 0, to: segment.count, by: 47) where count % 188 != 0 || count < 188 * 10 {
            #expect(ParsedTransportStream(ByteBuffer(bytes: segment.prefix(count))).violations != [])
        }
    }

    @Test func noiseIsRead() {
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<300 {
            var bytes = generator.bytes(188 * 12)
            for start in stride(from: 0, to: bytes.count, by: 188) {
                bytes[start] = 0x47
                bytes[start + 1] &= 0x40
                bytes[start + 2] = 0
            }
            #expect(ParsedTransportStream(ByteBuffer(bytes: bytes)).violations != [])
            #expect(throws: ParsedPackedAudio.MalformedTagError.self) {
                try ParsedPackedAudio(ByteBuffer(bytes: bytes))
            }
        }
    }
}
