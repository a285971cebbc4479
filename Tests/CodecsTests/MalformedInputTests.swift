import MediaCore
import NIOCore
import TestSupport
import Testing

@testable import Codecs

/// No bytes trap: whatever comes in is read or is a ``CodecError``.
struct MalformedInputTests {
    @Test(arguments: H264Vector.all)
    func damagedAccessUnits(vector: H264Vector) {
        var generator = SeededGenerator(seed: 3)
        let timing = TimecodeInserter().message(.init(hours: 10, minutes: 59, seconds: 59, frames: 24))
        let parameterSets = [vector.sequenceParameterSet, vector.pictureParameterSet]
        let packet = annexB(parameterSets + [timing] + vector.slices.map(\.nalUnit))
        guard var reader = try? AVCAccessUnitReader(header: [], wantsSubsamples: true) else { return }
        reader.wantsTimecode = true
        for _ in 0..<1000 {
            guard let unit = try? reader.read(packet.mutated(using: &generator)) else { continue }
            let covered = unit.subsamples.reduce(0) { $0 + Int($1.clearBytes) + Int($1.protectedBytes) }
            #expect(covered == unit.payload.readableBytes)
        }
    }

    @Test func damagedSyntheticAccessUnits() {
        var generator = SeededGenerator(seed: 4)
        for seed in 0..<100 as Range<UInt64> {
            var stream = SyntheticH264(seed: seed)
            let nalUnits = [stream.sequenceParameterSet, stream.pictureParameterSet, stream.slice().nalUnit]
            let packet = annexB(nalUnits)
            for _ in 0..<20 {
                guard var reader = try? AVCAccessUnitReader(header: [], wantsSubsamples: true) else { return }
                _ = try? reader.read(packet.mutated(using: &generator))
            }
        }
    }

    @Test func damagedHeadersAndLengths() {
        var generator = SeededGenerator(seed: 5)
        let vector = H264Vector.cabac
        let header = avcC(lengthSize: 4, sps: vector.sequenceParameterSet, pps: vector.pictureParameterSet)
        let packet = lengthPrefixed(vector.slices[0].nalUnit, vector.slices[1].nalUnit)
        for _ in 0..<3000 {
            guard
                var reader = try? AVCAccessUnitReader(
                    header: header.mutated(using: &generator),
                    wantsSubsamples: true
                )
            else { continue }
            _ = try? reader.read(packet.mutated(using: &generator))
        }
    }

    @Test(arguments: [
        "1190", "2b118800", "130856e59d4880", "118004c848002000c4400d4c61766335392e33372e313030", "1780bb8110",
    ])
    func damagedAudioSpecificConfigs(hex: String) {
        var generator = SeededGenerator(seed: 6)
        for _ in 0..<1000 {
            let bytes = [UInt8](hex: hex).mutated(using: &generator)
            guard let configuration = try? AACConfiguration(audioSpecificConfig: bytes) else { continue }
            #expect(configuration.channels > 0 && configuration.coreSampleRate > 0)
            #expect((try? AACSilence.frame(for: configuration)) != nil)
            #expect((try? configuration.signalling(sbr: true, ps: true)) != nil)
        }
    }

    @Test func damagedADTS() {
        var generator = SeededGenerator(seed: 7)
        let frame = [UInt8](hex: "fff14c8001bf fc 21000000001c")
        guard var reader = try? AACFrameReader(header: []) else { return }
        for _ in 0..<3000 {
            let packet = (frame + frame + frame).mutated(using: &generator)
            _ = try? reader.read(packet)
        }
    }

    @Test func noise() {
        var generator = SeededGenerator(seed: 8)
        for _ in 0..<2000 {
            let bytes = generator.bytes(Int.random(in: 0...64, using: &generator))
            _ = try? AVCAccessUnitReader(header: bytes)
            _ = try? AACFrameReader(header: bytes)
            _ = try? SequenceParameterSet(bytes)
            _ = try? PictureParameterSet(bytes)
        }
    }
}
