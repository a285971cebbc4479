import MediaCore
import NIOCore
import TestSupport
import Testing

@testable import Codecs

struct HEVCAccessUnitReaderTests {
    private typealias Vector = HEVCVector
    private let delimiter = [UInt8](hex: "460150")
    private let parameterSets = [Vector.vps, Vector.sps, Vector.pps]

    private func payload(of unit: AccessUnit) -> String {
        unit.payload.readableBytesView.hex
    }

    @Test func annexBBecomesLengthsWithoutParameterSets() throws {
        var reader = try HEVCAccessUnitReader(header: [])
        let (sei, suffix) = (Vector.message(5, [1]), [UInt8](hex: "5001840180"))
        let (filler, endOfSequence) = ([UInt8](hex: "4c01ff80"), [UInt8](hex: "4801"))
        let nalUnits = [delimiter] + parameterSets + [sei, Vector.idr, filler, suffix, endOfSequence]
        let unit = try reader.read(annexB(nalUnits))
        #expect(payload(of: unit) == lengthPrefixed(sei, Vector.idr, suffix, endOfSequence).hex)
        #expect(unit.hasPicture && unit.isSync && unit.configurationChanged)
        #expect(unit.subsamples.isEmpty)
    }

    @Test func theConfigurationComesFromTheStream() throws {
        var reader = try HEVCAccessUnitReader(header: [])
        #expect(reader.configuration == nil)
        _ = try reader.read(annexB(parameterSets + [Vector.idr]))
        #expect(
            reader.configuration
                == HEVCConfiguration(
                    videoParameterSets: [Vector.vps],
                    sequenceParameterSets: [Vector.sps],
                    pictureParameterSets: [Vector.pps],
                    profileTierLevel: .init(
                        profile: 1,
                        compatibilityFlags: 0x6000_0000,
                        constraintFlags: 0x9000_0000_0000,
                        level: 60
                    ),
                    picture: PictureFormat(
                        width: 320,
                        height: 180,
                        frameRate: Ratio(25, 1),
                        colour: nil
                    )
                )
        )
    }

    @Test(arguments: [
        // TRAIL, RADL, RASL, BLA, IDR, CRA
        (0, false, false), (1, false, false), (6, false, false), (8, false, true), (9, false, true), (16, true, false),
        (17, true, false), (18, true, false), (19, true, false), (20, true, false), (21, true, false),
    ])
    func typesTellWhereDecodingMayStart(type: UInt8, isSync: Bool, isSkippedLeading: Bool) throws {
        var reader = try HEVCAccessUnitReader(header: [])
        let unit = try reader.read(annexB(Vector.retyped(Vector.idr, type)))
        #expect(unit.hasPicture)
        #expect((unit.isSync, unit.isSkippedLeading) == (isSync, isSkippedLeading))
    }

    /// recovery_poc_cnt 0, 24 and -3; then an IDR picture, which needs no such message, and another message.
    @Test(arguments: [
        (Vector.message(6, [0b1101_0000]), Vector.p, true, false),
        (Vector.message(6, [0b0000_0110, 0b0001_0100]), Vector.p, true, true),
        (Vector.message(6, [0b0011_1100]), Vector.p, true, false),
        (Vector.message(6, [0b1101_0000]), Vector.idr, false, false),
        (Vector.message(5, [0b1101_0000]), Vector.p, false, false),
    ])
    func recoveryPointsAreRightAtOnceOrLater(
        message: [UInt8],
        picture: [UInt8],
        isRecoveryPoint: Bool,
        recoversGradually: Bool
    ) throws {
        var reader = try HEVCAccessUnitReader(header: [])
        let unit = try reader.read(annexB(parameterSets + [message, picture]))
        #expect((unit.isRecoveryPoint, unit.recoversGradually) == (isRecoveryPoint, recoversGradually))
    }

    @Test func repeatedParameterSetsAreNoChange() throws {
        var reader = try HEVCAccessUnitReader(header: [])
        #expect(try reader.read(annexB(parameterSets + [Vector.idr])).configurationChanged)
        #expect(try !reader.read(annexB(Vector.p)).configurationChanged)
        #expect(try !reader.read(annexB(parameterSets + [Vector.cra])).configurationChanged)
    }

    @Test func otherParameterSetsAreAChangeAtTheirPicture() throws {
        var stream = SyntheticHEVC(seed: 1, hasScreenContent: false)
        let others = [stream.videoParameterSet, stream.sequenceParameterSet, stream.pictureParameterSet]
        var reader = try HEVCAccessUnitReader(header: annexB(parameterSets))
        _ = try reader.read(annexB(Vector.idr))
        let alone = try reader.read(annexB(others))
        #expect(!alone.configurationChanged && !alone.hasPicture)
        #expect(reader.configuration?.picture.width == 320)
        #expect(try reader.read(annexB(stream.slice(isFirst: true).nalUnit)).configurationChanged)
        #expect(reader.configuration?.profileTierLevel.level == 120)
    }

    @Test func aBrokenParameterSetLosesNothing() throws {
        var reader = try HEVCAccessUnitReader(header: [])
        _ = try reader.read(annexB(parameterSets + [Vector.idr]))
        let before = reader.configuration
        let broken = [Array(Vector.sps.prefix(16)), Array(Vector.pps.prefix(3))]
        let unit = try reader.read(annexB(broken + [Vector.idr]))
        #expect(payload(of: unit) == lengthPrefixed(Vector.idr).hex)
        #expect(!unit.configurationChanged && reader.configuration == before)
        #expect(reader.unreadableParameterSets == 2)
    }

    @Test(arguments: [1, 2, 4])
    func lengthsOfAnySizeBecomeFourBytes(size: Int) throws {
        let header = hvcC(lengthSize: size, Vector.vps, Vector.sps, Vector.pps)
        var reader = try HEVCAccessUnitReader(header: header)
        #expect(reader.configuration?.picture.width == 320)
        let unit = try reader.read(lengthPrefixed(delimiter, Vector.idr, Vector.p, size: size))
        #expect(payload(of: unit) == lengthPrefixed(Vector.idr, Vector.p).hex)
        #expect(unit.configurationChanged)
        #expect(try !reader.read(lengthPrefixed(Vector.p, size: size)).configurationChanged)
    }

    @Test func aNewHeaderIsAChangeOnlyIfItDiffers() throws {
        let header = hvcC(Vector.vps, Vector.sps, Vector.pps)
        var reader = try HEVCAccessUnitReader(header: header)
        _ = try reader.read(lengthPrefixed(Vector.idr))
        try reader.replaceHeader(header)
        #expect(try !reader.read(lengthPrefixed(Vector.idr)).configurationChanged)
        try reader.replaceHeader(hvcC(Vector.vps, Vector.sps, Vector.pps, Vector.message(144, [3, 232, 1, 144])))
        #expect(try reader.read(lengthPrefixed(Vector.idr)).configurationChanged)
        #expect(reader.configuration?.picture.dynamicRange.contentLight == [3, 232, 1, 144])
    }

    @Test(arguments: ["02", "01", "01" + String(repeating: "00", count: 20) + "fa00"])
    func aBrokenHeaderIsAnError(hex: String) throws {
        #expect(throws: CodecError.self) { try HEVCAccessUnitReader(header: [UInt8](hex: hex)) }
        var reader = try HEVCAccessUnitReader(header: annexB(parameterSets))
        #expect(throws: CodecError.self) { try reader.replaceHeader([UInt8](hex: hex)) }
        #expect(try payload(of: reader.read(annexB(Vector.idr))) == lengthPrefixed(Vector.idr).hex)
    }

    @Test(arguments: ["", "00", "2601aa", "000001"])
    func aPacketWithoutNALUnitsIsAnError(hex: String) throws {
        var reader = try HEVCAccessUnitReader(header: [])
        #expect(throws: CodecError.invalid("access unit without NAL units")) { try reader.read([UInt8](hex: hex)) }
    }

    @Test func protectedBytesStartBehindTheSliceHeader() throws {
        let header = hvcC(Vector.vps, Vector.sps, Vector.pps)
        var reader = try HEVCAccessUnitReader(header: header, wantsSubsamples: true)
        var sets = HEVCParameterSets()
        for set in parameterSets { _ = try sets.insert(set) }
        let sei = Vector.message(5, [1, 2, 3])
        // What Dolby Vision adds to a picture stays with it, in clear.
        let processing = [UInt8](hex: "7c0119aabbcc80")
        let unit = try reader.read(lengthPrefixed(sei, Vector.idr, processing))
        let clear = try HEVCSliceHeader(Vector.idr, parameterSets: sets).byteCount
        #expect(
            unit.subsamples == [
                Subsample(
                    clearBytes: UInt16(4 + sei.count + 4 + clear),
                    protectedBytes: UInt32(Vector.idr.count - clear)
                ),
                Subsample(clearBytes: UInt16(4 + processing.count), protectedBytes: 0),
            ]
        )
    }

    @Test func subsamplesNeedTheParameterSets() throws {
        var reader = try HEVCAccessUnitReader(header: [], wantsSubsamples: true)
        #expect(throws: CodecError.missingParameterSet(pictureParameterSetID: 0)) {
            try reader.read(annexB(Vector.idr))
        }
        reader.wantsSubsamples = false
        let unit = try reader.read(annexB(Vector.idr))
        #expect(unit.isSync && !unit.configurationChanged && reader.configuration == nil)
    }

    @Test func onlyTheBaseLayerIsCarried() throws {
        var reader = try HEVCAccessUnitReader(header: [], wantsSubsamples: true)
        // nuh_layer_id 1: parameter sets, message and slice of another layer; then a slice of a reserved type.
        let others = [Vector.sps, Vector.message(5, [1]), Vector.p].map { [$0[0], 0x09] + $0.dropFirst(2) }
        let reserved = Vector.retyped(Vector.p, 22)
        let unit = try reader.read(annexB(parameterSets + [Vector.idr] + others + [reserved, [0x02]]))
        #expect(payload(of: unit) == lengthPrefixed(Vector.idr).hex)
        #expect(reader.configuration?.sequenceParameterSets == [Vector.sps])
    }

    @Test func timecodesComeWithTheirRate() throws {
        // One clock timestamp: full, 10:59:59:24.
        var bits = BitWriter()
        for (value, count) in [(1, 2), (1, 1), (1, 1), (0, 5), (1, 1), (0, 2), (24, 9), (59, 6), (59, 6), (10, 5)] {
            bits.write(value, bits: count)
        }
        bits.write(0, bits: 5)
        bits.write(true)
        let message = Vector.message(136, bits.bytes)
        var reader = try HEVCAccessUnitReader(header: annexB(parameterSets))
        #expect(try reader.read(annexB(message, Vector.idr)).timecode == nil)
        reader.wantsTimecode = true
        let timecode = try reader.read(annexB(message, Vector.p)).timecode
        #expect(timecode?.description == "10:59:59:24")
        #expect(timecode?.frameRate == Ratio(25, 1))
    }
}
