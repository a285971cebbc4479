import Foundation
import MediaCore
import NIOCore
import TestSupport
import Testing

@testable import Codecs

/// Streams of three encoders, and drawn ones, held against what FFmpeg makes of them.
@Suite(.serialized)
struct AV1StreamTests {
    @Test(arguments: AV1Stream.recipes.oneIn(3))
    func tilesAreFoundAndTheRestDecodesAsTheSource(recipe: AV1Stream.Recipe) async throws {
        let stream = try await AV1Stream(recipe)
        try tilesAreWhereFFmpegSaysTheyAre(in: stream)
        try await whatIsWrittenDecodes(asThe: stream)
    }

    private func tilesAreWhereFFmpegSaysTheyAre(in stream: AV1Stream) throws {
        var reader = try AV1TemporalUnitReader(header: [], wantsSubsamples: true)
        var traces = stream.traces[...]
        var layout = (tiles: 0, sizeBytes: 0)
        for obus in stream.temporalUnits {
            let unit = try reader.read(obus.flatMap(\.bytes))
            let kept = obus.filter { $0.type != 2 }
            #expect(unit.payload.readableBytesView.elementsEqual(kept.flatMap(\.bytes)))
            #expect(unit.hasPicture)
            #expect(unit.isSync == traces.first?.isShownKeyFrame)
            let tiles = unit.tiles
            var tileCount = 0
            var position = 0
            for obu in kept {
                defer { position += obu.bytes.count }
                guard [3, 4, 6].contains(obu.type) else { continue }
                let trace = try #require(traces.first)
                traces.removeFirst()
                #expect(trace.type == Int(obu.type))
                if obu.type != 4 { layout = (trace.tiles, (trace.values["tile_size_bytes_minus1"] ?? -1) + 1) }
                guard obu.type != 3 else { continue }
                let count = trace.values["tg_end"].map { $0 - (trace.values["tg_start"] ?? 0) + 1 } ?? layout.tiles
                let start = position + trace.bits / 8 + (count > 1 ? layout.sizeBytes : 0)
                #expect(tiles.dropFirst(tileCount).first?.lowerBound == start)
                tileCount += count
                #expect(tiles.prefix(tileCount).last?.upperBound == position + obu.bytes.count)
            }
            #expect(tiles.count == tileCount)
        }
        #expect(traces.isEmpty)
        #expect(!stream.traces.isEmpty)
        let configuration = try #require(reader.configuration)
        #expect(configuration.picture.width == 256 && configuration.picture.height == 128)
    }

    private func whatIsWrittenDecodes(asThe stream: AV1Stream) async throws {
        var reader = try AV1TemporalUnitReader(header: [], wantsSubsamples: true)
        var written: [UInt8] = []
        var regrouped: [UInt8] = []
        var traces = stream.traces[...]
        for obus in stream.temporalUnits {
            let unit = try reader.read(obus.flatMap(\.bytes))
            written += AV1Stream.temporalDelimiter + unit.payload.readableBytesView
            regrouped += AV1Stream.temporalDelimiter + AV1Stream.regroup(unit, &traces)
        }
        let source = try await AV1Stream.checksums(stream.temporalUnits.flatMap { $0.flatMap(\.bytes) })
        #expect(!source.isEmpty)
        #expect(try await AV1Stream.checksums(written) == source)
        // Each tile in a tile group of its own: it decodes only if it is the tile from its first byte to its last.
        #expect(try await AV1Stream.checksums(regrouped) == source)
    }

    /// Headers of all kinds, most of whose bits are drawn: both read them alike, whatever they say.
    @Test(arguments: [1, 2, 3])
    func headersEndWhereFFmpegSaysTheyEnd(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        var units: [[UInt8]] = []
        for _ in 0..<40 {
            var stream = RandomAV1(using: &generator)
            units.append(AV1Stream.temporalDelimiter + stream.sequenceHeader + stream.keyFrame(using: &generator))
            for _ in 0..<8 { units.append(AV1Stream.temporalDelimiter + stream.frame(using: &generator)) }
        }
        let traces = try await TemporaryFile.with { file in
            try Data(RandomAV1.ivf(units)).write(to: file)
            return try await AV1Stream.trace(file, format: "ivf")
        }
        try #require(traces.count == units.count)
        var sequence: AV1SequenceHeader?
        var references = AV1ReferenceFrames()
        var isFollowing = false
        var compared = 0
        for (unit, trace) in zip(units, traces) {
            var obus = OBUs(unit.span.bytes)
            while let obu = try obus.next() {
                if obu.type == .sequenceHeader {
                    sequence = try AV1SequenceHeader(obu.payload)
                    references = AV1ReferenceFrames()
                    isFollowing = true
                }
                guard obu.type == .frame, let sequence, isFollowing else { continue }
                // FFmpeg refuses some values that headers are no longer or shorter for, and forgets the frame.
                isFollowing = trace.headerBits > 0
                guard isFollowing else { continue }
                let header = try AV1FrameHeader(obu, sequence: sequence, references: &references)
                let headerBytes = try #require(AV1Stream.obus(in: unit).last).headerBytes
                #expect(header.bitCount == trace.headerBits - headerBytes * 8)
                #expect(header.tiles.count == trace.tiles)
                compared += 1
            }
        }
        #expect(compared > 200)
    }

    /// No bits trap: whatever comes in is read or is a ``CodecError``.
    @Test func damagedTemporalUnits() async throws {
        var generator = SeededGenerator(seed: 11)
        for index in [1, 5, 6, 9, 10] {
            let units = try await AV1Stream(AV1Stream.recipes[index]).temporalUnits.map { $0.flatMap(\.bytes) }
            for _ in 0..<(Extent.isWhole ? 40 : 10) {
                var reader = try AV1TemporalUnitReader(header: [], wantsSubsamples: true)
                for (number, bytes) in units.enumerated() {
                    // Whole at first, so that others have something to refer to.
                    let bytes = number == 0 ? bytes : damaged(bytes, using: &generator)
                    guard let unit = try? reader.read(bytes) else { continue }
                    let covered = unit.subsamples.reduce(0) { $0 + Int($1.clearBytes) + Int($1.protectedBytes) }
                    #expect(covered == unit.payload.readableBytes)
                }
            }
        }
    }

    /// The bytes with some bits of the first hundred flipped, where headers are; now and then cut short.
    private func damaged(_ bytes: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...2, using: &generator) {
            let index = Int.random(in: 2..<min(bytes.count, 100), using: &generator)
            bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        }
        if Int.random(in: 0..<4, using: &generator) == 0 {
            bytes.removeLast(Int.random(in: 0..<bytes.count - 2, using: &generator))
        }
        return bytes
    }
}
