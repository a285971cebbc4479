import MediaCore
import NIOCore
import TestSupport
import Testing

@testable import Codecs

/// The end of an access unit within a packet (ISO/IEC 23008-2 § 7.4.2.4.4).
struct HEVCAccessUnitBoundaryTests {
    private typealias Vector = HEVCVector
    private static let sets = annexB(Vector.vps, Vector.sps, Vector.pps)

    /// The types of the NAL units of each access unit of a packet.
    private func units(_ nalUnits: [[UInt8]], wantsSubsamples: Bool = false) throws -> [[Int]] {
        var reader = try HEVCAccessUnitReader(header: Self.sets, wantsSubsamples: wantsSubsamples)
        var packet = annexB(nalUnits)[...]
        var result: [[Int]] = []
        while !packet.isEmpty {
            let unit = try reader.read(Array(packet))
            packet = packet.dropFirst(unit.packetBytes)
            var payload = unit.payload
            var types: [Int] = []
            while let length = payload.readInteger(as: UInt32.self),
                let nalUnit = payload.readBytes(length: Int(length))
            {
                types.append(hevcType(nalUnit))
            }
            result.append(types)
        }
        return result
    }

    @Test(
        arguments: [
            [], [[0x46, 0x01, 0x50]], [Vector.vps, Vector.sps, Vector.pps], [Vector.pps], [Vector.message(5, [1])],
            [[0x52, 0x01, 0x80]], [[0x60, 0x01, 0x80]],
        ] as [[[UInt8]]],
        [true, false]
    )
    func anotherPictureIsAnotherAccessUnit(between: [[UInt8]], wantsSubsamples: Bool) throws {
        var reader = try HEVCAccessUnitReader(header: Self.sets, wantsSubsamples: wantsSubsamples)
        let first = annexB(Vector.idr)
        let second = annexB(between + [Vector.p])
        let unit = try reader.read(first + second)
        // The zero byte ahead of a start code of four bytes ends what is before it (Annex B.2).
        #expect(unit.packetBytes == first.count + 1)
        #expect(try reader.read(second).packetBytes == second.count)
    }

    @Test func slicesOfOnePictureStayTogether() throws {
        // Cleared, first_slice_segment_in_pic_flag says that another slice segment follows.
        let further = [Vector.p[0], Vector.p[1], Vector.p[2] & 0x7F] + Vector.p.dropFirst(3)
        #expect(try units([Vector.p, further, further, Vector.b]) == [[1, 1, 1], [0]])
    }

    @Test func whatEndsAPictureStaysWithIt() throws {
        // A suffix SEI message, what Dolby Vision adds, and the end of a sequence.
        let trailing = ["5001840180", "7c011980", "7e010180", "4801"].map { [UInt8](hex: $0) }
        #expect(try units([Vector.idr] + trailing + [Vector.p]) == [[20, 40, 62, 63, 36], [1]])
    }

    @Test func parameterSetsBetweenAreThoseOfThePictureBehind() throws {
        var stream = SyntheticHEVC(seed: 2, hasScreenContent: false)
        var reader = try HEVCAccessUnitReader(header: Self.sets)
        let packet = annexB(
            Vector.idr,
            stream.videoParameterSet,
            stream.sequenceParameterSet,
            stream.pictureParameterSet,
            stream.slice(isFirst: true).nalUnit
        )
        let first = try reader.read(packet)
        #expect(first.configurationChanged && reader.configuration?.profileTierLevel.level == 60)
        let second = try reader.read(Array(packet.dropFirst(first.packetBytes)))
        #expect(second.configurationChanged && reader.configuration?.profileTierLevel.level == 120)
    }

    @Test func aPacketBehindLengthsIsOneAccessUnit() throws {
        var reader = try HEVCAccessUnitReader(header: hvcC(Vector.vps, Vector.sps, Vector.pps))
        let packet = lengthPrefixed(Vector.idr, Vector.p)
        #expect(try reader.read(packet).packetBytes == packet.count)
    }
}
