import MediaCore
import NIOCore
import TestSupport
import Testing

@testable import Codecs

/// No bytes trap: whatever comes in is read or is a ``CodecError``.
struct MalformedHEVCTests {
    private typealias Vector = HEVCVector

    @Test func damagedAccessUnits() {
        var generator = SeededGenerator(seed: 31)
        let messages = [
            Vector.message(136, [0x61, 0x42, 0, 0, 0, 0, 0, 0]), Vector.message(137, [UInt8](repeating: 7, count: 24)),
            [0x4E, 0x01] + CaptionServicesTests.message([(4, 0x94, 0x25), (7, 0x02, 0x22)]).dropFirst(),
        ]
        let packet = annexB([Vector.vps, Vector.sps, Vector.pps] + messages + [Vector.idr, Vector.p, Vector.b])
        guard var reader = try? HEVCAccessUnitReader(header: [], wantsSubsamples: true) else { return }
        reader.wantsTimecode = true
        for _ in 0..<5000 {
            var bytes = packet.mutated(using: &generator)
            while !bytes.isEmpty, let unit = try? reader.read(bytes) {
                let covered = unit.subsamples.reduce(0) { $0 + Int($1.clearBytes) + Int($1.protectedBytes) }
                #expect(covered == unit.payload.readableBytes)
                bytes.removeFirst(min(max(1, unit.packetBytes), bytes.count))
            }
        }
    }

    @Test func damagedSyntheticAccessUnits() {
        var generator = SeededGenerator(seed: 32)
        for seed in 0..<200 as Range<UInt64> {
            var stream = SyntheticHEVC(seed: seed, hasScreenContent: seed % 2 == 0)
            let sets = [stream.videoParameterSet, stream.sequenceParameterSet, stream.pictureParameterSet]
            let packet = annexB(sets + [stream.slice(isFirst: true).nalUnit, stream.slice(isFirst: false).nalUnit])
            for _ in 0..<50 {
                guard var reader = try? HEVCAccessUnitReader(header: [], wantsSubsamples: true) else { return }
                _ = try? reader.read(packet.mutated(using: &generator))
            }
        }
    }

    /// Damage in parameter sets alone: what stands then meets whole slices.
    @Test func damagedParameterSetsMeetWholeSlices() {
        var generator = SeededGenerator(seed: 33)
        for seed in 0..<200 as Range<UInt64> {
            var stream = SyntheticHEVC(seed: seed, hasScreenContent: seed % 2 == 0)
            let slices = [stream.slice(isFirst: true).nalUnit, stream.slice(isFirst: false).nalUnit]
            for _ in 0..<20 {
                var sets = HEVCParameterSets()
                for set in [stream.videoParameterSet, stream.sequenceParameterSet, stream.pictureParameterSet] {
                    _ = try? sets.insert(Bool.random(using: &generator) ? set : set.mutated(using: &generator))
                }
                for slice in slices { _ = try? HEVCSliceHeader(slice, parameterSets: sets) }
                _ = sets.configuration()
            }
        }
    }

    @Test func damagedHeaders() {
        var generator = SeededGenerator(seed: 34)
        let header = hvcC(Vector.vps, Vector.sps, Vector.pps, Vector.message(144, [1, 2, 3, 4]))
        for _ in 0..<3000 {
            guard var reader = try? HEVCAccessUnitReader(header: header.mutated(using: &generator)) else { continue }
            _ = try? reader.read(lengthPrefixed(Vector.idr).mutated(using: &generator))
        }
    }

    @Test func noise() {
        var generator = SeededGenerator(seed: 35)
        for _ in 0..<3000 {
            let bytes = generator.bytes(Int.random(in: 0...64, using: &generator))
            _ = try? HEVCAccessUnitReader(header: bytes)
            _ = try? HEVCVideoParameterSet(bytes)
            _ = try? HEVCSequenceParameterSet(bytes)
            _ = try? HEVCPictureParameterSet(bytes)
        }
    }
}
