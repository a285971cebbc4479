import MediaCore
import NIOCore
import TestSupport
import Testing

@testable import Codecs

/// The end of an access unit within a packet (ISO/IEC 14496-10 § 7.4.1.2.3 and § 7.4.1.2.4).
struct AccessUnitBoundaryTests {
    private let delimiter: [UInt8] = [0x09, 0xF0]
    private let sei: [UInt8] = [0x06, 0x05, 0x01, 0xAA, 0x80]
    private static let sps = parameterSet { sps in
        for byte in [0x67, 77, 0, 30] { sps.write(UInt32(byte), bits: 8) }
        for number in [0, 0, 0, 0, 1] { sps.writeGolomb(number) }  // id, frame_num of 4 bits, POC type 0 of 4 bits
        sps.write(false)
        sps.writeGolomb(19)
        sps.writeGolomb(8)
        for flag in [false, false, true, false, false] { sps.write(flag) }  // frames and fields
    }
    private static let pps = parameterSet { pps in
        pps.write(0x68, bits: 8)
        for number in [0, 0] { pps.writeGolomb(number) }
        for flag in [false, false] { pps.write(flag) }
        for _ in 0..<3 { pps.writeGolomb(0) }
        pps.write(0, bits: 3)
        for _ in 0..<3 { pps.writeSignedGolomb(0) }
        pps.write(0, bits: 3)
    }

    private static func parameterSet(_ body: (inout BitWriter) -> Void) -> [UInt8] {
        var writer = BitWriter()
        body(&writer)
        writer.writeTrailingBits()
        return writer.bytes.escaped
    }

    /// A slice of intra macroblocks; its `mark` is in its data.
    private static func slice(
        macroblock: Int = 0,
        idr: Int? = nil,
        frame: UInt32,
        field: Bool? = nil,
        order: UInt32 = 0,
        isReference: Bool = true,
        mark: UInt8
    ) -> [UInt8] {
        var bits = BitWriter()
        bits.write((isReference ? 0x60 : 0) | (idr == nil ? 1 : 5), bits: 8)
        for number in [macroblock, 7, 0] { bits.writeGolomb(number) }
        bits.write(frame, bits: 4)
        bits.write(field != nil)
        if let field { bits.write(field) }
        if let idr { bits.writeGolomb(idr) }
        bits.write(order, bits: 4)
        if isReference { bits.write(0, bits: idr == nil ? 1 : 2) }
        bits.writeSignedGolomb(0)
        while bits.bitCount % 8 != 0 { bits.write(true) }
        return bits.bytes.escaped + [mark, 0x80]
    }

    /// The marks of the slices of each access unit.
    private func units(_ nalUnits: [UInt8]..., wantsSubsamples: Bool, hasParameterSets: Bool = true) throws -> [[UInt8]]
    {
        var reader = try AVCAccessUnitReader(
            header: hasParameterSets ? annexB(Self.sps, Self.pps) : [],
            wantsSubsamples: wantsSubsamples
        )
        var packet = annexB(nalUnits)[...]
        var result: [[UInt8]] = []
        while !packet.isEmpty {
            let unit = try reader.read(Array(packet))
            packet = packet.dropFirst(unit.packetBytes)
            var payload = unit.payload
            var marks: [UInt8] = []
            while let length = payload.readInteger(as: UInt32.self),
                let nalUnit = payload.readBytes(length: Int(length))
            {
                if [1, 5].contains(nalUnit[0] & 0x1F) { marks.append(nalUnit[nalUnit.count - 2]) }
            }
            #expect(unit.hasPicture == !marks.isEmpty)
            let covered = unit.subsamples.reduce(0) { $0 + Int($1.clearBytes) + Int($1.protectedBytes) }
            #expect(covered == (wantsSubsamples ? unit.payload.readableBytes : 0))
            result.append(marks)
        }
        return result
    }

    @Test(arguments: [true, false])
    func slicesOfOnePictureStayTogether(wantsSubsamples: Bool) throws {
        let slices = (0..<4).map { Self.slice(macroblock: $0 * 45, frame: 3, order: 6, mark: UInt8($0 + 1)) }
        // Arbitrary slice order: the first macroblock need not come first.
        let units = try units(
            delimiter,
            Self.sps,
            Self.pps,
            sei,
            slices[1],
            slices[0],
            slices[3],
            slices[2],
            wantsSubsamples: wantsSubsamples
        )
        #expect(units == [[2, 1, 4, 3]])
    }

    @Test(
        arguments: [[], [[0x09, 0xF0]], [[0x06, 0x05, 0x01, 0xAA, 0x80]], [sps, pps]] as [[[UInt8]]],
        [true, false]
    )
    func anotherPictureIsAnotherAccessUnit(between: [[UInt8]], wantsSubsamples: Bool) throws {
        var reader = try AVCAccessUnitReader(header: annexB(Self.sps, Self.pps), wantsSubsamples: wantsSubsamples)
        let first = annexB([delimiter, Self.slice(frame: 3, order: 6, mark: 1)])
        let second = annexB(between + [Self.slice(frame: 4, order: 8, mark: 2)])
        let unit = try reader.read(first + second)
        // The zero byte ahead of a start code of four bytes ends what is before it (Annex B.1.1).
        #expect(unit.packetBytes == first.count + 1)
        #expect(try reader.read(second).packetBytes == second.count)
    }

    @Test(arguments: [
        // frame_num, idr_pic_id, nal_ref_idc, pic_order_cnt_lsb
        (slice(frame: 3, order: 6, mark: 1), slice(frame: 4, order: 6, mark: 2)),
        (slice(idr: 0, frame: 0, mark: 1), slice(idr: 1, frame: 0, mark: 2)),
        (slice(idr: 0, frame: 0, mark: 1), slice(frame: 0, mark: 2)),
        (slice(frame: 3, order: 6, mark: 1), slice(frame: 3, order: 6, isReference: false, mark: 2)),
        (
            slice(frame: 3, order: 6, isReference: false, mark: 1),
            slice(frame: 3, order: 4, isReference: false, mark: 2)
        ),
        (slice(frame: 3, field: true, mark: 1), slice(frame: 4, field: false, mark: 2)),
        (slice(frame: 3, order: 6, mark: 1), slice(frame: 3, field: false, order: 6, mark: 2)),
    ])
    func anyOfTheseTellsPicturesApart(first: [UInt8], second: [UInt8]) throws {
        #expect(try units(first, second, wantsSubsamples: false) == [[1], [2]])
        #expect(try units(first, second, wantsSubsamples: true) == [[1], [2]])
    }

    @Test(arguments: [true, false])
    func fieldsOfOneFrameAreOneSample(wantsSubsamples: Bool) throws {
        let units = try units(
            delimiter,
            Self.slice(idr: 0, frame: 0, field: false, mark: 1),
            Self.slice(macroblock: 90, idr: 0, frame: 0, field: false, mark: 2),
            delimiter,
            sei,
            Self.slice(frame: 0, field: true, order: 1, mark: 3),
            Self.slice(macroblock: 90, frame: 0, field: true, order: 1, mark: 4),
            delimiter,
            // Pictures that are no reference share their frame_num.
            Self.slice(frame: 1, field: true, order: 4, isReference: false, mark: 5),
            Self.slice(frame: 1, field: false, order: 5, isReference: false, mark: 6),
            Self.slice(frame: 1, field: true, order: 6, isReference: false, mark: 7),
            Self.slice(frame: 1, field: false, order: 7, isReference: false, mark: 8),
            wantsSubsamples: wantsSubsamples
        )
        #expect(units == [[1, 2, 3, 4], [5, 6], [7, 8]])
    }

    @Test func fieldsInPacketsOfTheirOwnAreToldApart() throws {
        var reader = try AVCAccessUnitReader(header: annexB(Self.sps, Self.pps))
        let packets = [
            annexB(Self.slice(idr: 0, frame: 0, field: false, mark: 1)),
            annexB(delimiter, sei),
            annexB(Self.slice(frame: 0, field: true, order: 1, mark: 2)),
            // Pictures that are no reference share their frame_num.
            annexB(Self.slice(frame: 1, field: true, order: 4, isReference: false, mark: 3)),
            annexB(Self.slice(frame: 1, field: false, order: 5, isReference: false, mark: 4)),
            annexB(Self.slice(frame: 1, field: true, order: 6, isReference: false, mark: 5)),
            // The second field of it is lost.
            annexB(Self.slice(frame: 2, field: false, order: 8, mark: 6)),
            annexB(
                Self.slice(frame: 3, field: false, order: 9, mark: 7),
                Self.slice(frame: 3, field: true, order: 10, mark: 8)
            ),
            annexB(Self.slice(frame: 3, field: false, order: 11, mark: 9)),
        ]
        let fields = try packets.map { try reader.read($0).field }
        #expect(fields == [.first, nil, .second, .first, .second, .first, .first, nil, .first])
    }

    @Test func withoutParameterSetsTheFirstMacroblockTells() throws {
        let units = try units(
            Self.slice(frame: 1, mark: 1),
            Self.slice(macroblock: 9, frame: 1, mark: 2),
            Self.slice(frame: 2, mark: 3),
            wantsSubsamples: false,
            hasParameterSets: false
        )
        #expect(units == [[1, 2], [3]])
    }

    @Test func parameterSetsBetweenAreThoseOfThePictureBehind() throws {
        let other = H264Vector.cropped
        var reader = try AVCAccessUnitReader(header: annexB(Self.sps, Self.pps))
        let packet = annexB(
            Self.slice(frame: 1, mark: 1),
            other.sequenceParameterSet,
            other.pictureParameterSet,
            other.slices[0].nalUnit
        )
        let first = try reader.read(packet)
        #expect(first.configurationChanged && reader.configuration?.picture.width == 320)
        let second = try reader.read(Array(packet.dropFirst(first.packetBytes)))
        #expect(second.isSync && second.configurationChanged && reader.configuration?.picture.width == 318)
    }

    @Test func damagedPacketsAreReadToTheirEnd() throws {
        var generator = SeededGenerator(seed: 11)
        let packet = annexB(
            (0..<6).flatMap { number -> [[UInt8]] in
                [delimiter, Self.sps, sei, Self.slice(frame: UInt32(number), field: number % 2 == 0, mark: 7)]
            }
        )
        for _ in 0..<500 {
            var reader = try AVCAccessUnitReader(header: annexB(Self.sps, Self.pps), wantsSubsamples: true)
            var bytes = packet
            for _ in 0..<4 {
                bytes[.random(in: bytes.indices, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            while !bytes.isEmpty, let unit = try? reader.read(bytes) {
                #expect(unit.packetBytes > 0)
                bytes.removeFirst(min(max(1, unit.packetBytes), bytes.count))
            }
        }
    }

    @Test func aPacketBehindLengthsIsOneAccessUnit() throws {
        var reader = try AVCAccessUnitReader(header: avcC(lengthSize: 4, sps: Self.sps, pps: Self.pps))
        let packet = lengthPrefixed(Self.slice(frame: 1, mark: 1), Self.slice(frame: 2, mark: 2))
        #expect(try reader.read(packet).packetBytes == packet.count)
    }
}
