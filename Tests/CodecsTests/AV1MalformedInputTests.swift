import MediaCore
import NIOCore
import TestSupport
import Testing

@testable import Codecs

/// No bytes trap: whatever comes in is read or is a ``CodecError``.
struct AV1MalformedInputTests {
    @Test func damagedHeaders() throws {
        var generator = SeededGenerator(seed: 12)
        let sequence = SyntheticAV1.sequenceHeader(hasColour: true, frameRate: 1001)
        let record = SyntheticAV1.record(sequence + SyntheticAV1.metadata(1, "03e80190"))
        let packet = sequence + SyntheticAV1.keyFrame() + SyntheticAV1.shownExistingFrame(1)
        for _ in 0..<3000 {
            let header = record.mutated(using: &generator)
            guard var reader = try? AV1TemporalUnitReader(header: header, wantsSubsamples: true) else { continue }
            for _ in 0..<3 {
                guard let unit = try? reader.read(packet.mutated(using: &generator)) else { continue }
                let covered = unit.subsamples.reduce(0) { $0 + Int($1.clearBytes) + Int($1.protectedBytes) }
                #expect(covered == unit.payload.readableBytes)
            }
            _ = reader.configuration.map { CodecConfiguration.av1($0).rfc6381 }
        }
    }

    @Test func noise() {
        var generator = SeededGenerator(seed: 13)
        for _ in 0..<3000 {
            let bytes = generator.bytes(Int.random(in: 0...64, using: &generator))
            _ = try? AV1TemporalUnitReader(header: bytes)
            guard var reader = try? AV1TemporalUnitReader(header: SyntheticAV1.sequenceHeader()) else { return }
            reader.wantsTimecode = true
            _ = try? reader.read(SyntheticAV1.keyFrame() + SyntheticAV1.obu(6, bytes) + SyntheticAV1.obu(5, bytes))
        }
    }
}
