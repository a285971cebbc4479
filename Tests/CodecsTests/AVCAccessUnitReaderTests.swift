import MediaCore
import NIOCore
import Testing

@testable import Codecs

struct AVCAccessUnitReaderTests {
    private let vector = H264Vector.cabac
    private var sps: [UInt8] { vector.sequenceParameterSet }
    private var pps: [UInt8] { vector.pictureParameterSet }
    private var idr: [UInt8] { vector.slices[0].nalUnit }
    private var p: [UInt8] { vector.slices[1].nalUnit }
    private let delimiter: [UInt8] = [0x09, 0xF0]
    /// A recovery point with recovery_frame_cnt 0 behind another message.
    private let recoverySEI = [UInt8](hex: "06 0403aabbcc 0601c4 80")

    private func payload(of unit: AccessUnit) -> String {
        unit.payload.readableBytesView.hex
    }

    @Test func annexBBecomesLengthsWithoutParameterSets() throws {
        var reader = try AVCAccessUnitReader(header: [])
        let unit = try reader.read(annexB(delimiter, sps, pps, recoverySEI, idr, [0x0C, 0xFF, 0x80], [0x0A], [0x0B]))
        #expect(payload(of: unit) == lengthPrefixed(recoverySEI, idr).hex)
        #expect(unit.hasPicture && unit.isSync && unit.configurationChanged)
        #expect(unit.subsamples.isEmpty)
    }

    @Test func theConfigurationComesFromTheStream() throws {
        var reader = try AVCAccessUnitReader(header: [])
        #expect(reader.configuration == nil)
        _ = try reader.read(annexB(sps, pps, idr))
        #expect(
            reader.configuration
                == AVCConfiguration(
                    sequenceParameterSets: [sps],
                    pictureParameterSets: [pps],
                    profile: 0x64,
                    compatibility: 0,
                    level: 12,
                    picture: PictureFormat(width: 320, height: 180, frameRate: Ratio(25, 1))
                )
        )
    }

    @Test func repeatedParameterSetsAreNoChange() throws {
        var reader = try AVCAccessUnitReader(header: [])
        #expect(try reader.read(annexB(sps, pps, idr)).configurationChanged)
        #expect(try !reader.read(annexB(p)).configurationChanged)
        #expect(try !reader.read(annexB(sps, pps, idr)).configurationChanged)
    }

    @Test func otherParameterSetsAreAChangeAtTheirPicture() throws {
        let other = H264Vector.cropped
        var reader = try AVCAccessUnitReader(header: [])
        _ = try reader.read(annexB(sps, pps, idr))
        let alone = try reader.read(annexB(other.sequenceParameterSet, other.pictureParameterSet))
        #expect(!alone.configurationChanged && !alone.hasPicture)
        #expect(reader.configuration?.picture.width == 320)
        #expect(try reader.read(annexB(other.slices[0].nalUnit)).configurationChanged)
        #expect(reader.configuration?.picture.width == 318)
        #expect(reader.configuration?.sequenceParameterSets == [other.sequenceParameterSet])
    }

    @Test func theConfigurationTellsOfThePictureInUse() throws {
        let other = H264Vector.tinySlices
        var reader = try AVCAccessUnitReader(header: [])
        _ = try reader.read(annexB(sps, pps, idr))
        let unit = try reader.read(
            annexB(other.sequenceParameterSet, other.pictureParameterSet, other.slices[0].nalUnit),
        )
        #expect(unit.configurationChanged)
        #expect(reader.configuration?.level == 13)
        #expect(reader.configuration?.sequenceParameterSets == [sps, other.sequenceParameterSet])
    }

    @Test func aBrokenParameterSetLosesNothing() throws {
        var reader = try AVCAccessUnitReader(header: [])
        _ = try reader.read(annexB(sps, pps, idr))
        let before = reader.configuration
        let unit = try reader.read(annexB(Array(sps.prefix(6)), [0x68, 0x80], idr))
        #expect(payload(of: unit) == lengthPrefixed(idr).hex)
        #expect(!unit.configurationChanged)
        #expect(reader.configuration == before)
        #expect(reader.unreadableParameterSets == 2)
    }

    @Test(arguments: [1, 2, 4])
    func lengthsOfAnySizeBecomeFourBytes(size: Int) throws {
        var reader = try AVCAccessUnitReader(header: avcC(lengthSize: size, sps: sps, pps: pps))
        #expect(reader.configuration?.picture.width == 320)
        let unit = try reader.read(lengthPrefixed(delimiter, idr, p, size: size))
        #expect(payload(of: unit) == lengthPrefixed(idr, p).hex)
        #expect(unit.configurationChanged)
        #expect(try !reader.read(lengthPrefixed(p, size: size)).configurationChanged)
    }

    @Test func aHeaderOfStartCodesCountsAsParameterSets() throws {
        var reader = try AVCAccessUnitReader(header: annexB(sps, pps))
        #expect(reader.configuration?.picture.width == 320)
        #expect(try reader.read(annexB(sps, pps, idr)).configurationChanged)
    }

    @Test func aNewHeaderIsAChangeOnlyIfItDiffers() throws {
        let other = H264Vector.cropped
        var reader = try AVCAccessUnitReader(header: avcC(lengthSize: 4, sps: sps, pps: pps))
        _ = try reader.read(lengthPrefixed(idr))
        try reader.replaceHeader(avcC(lengthSize: 4, sps: sps, pps: pps))
        #expect(try !reader.read(lengthPrefixed(idr)).configurationChanged)
        try reader.replaceHeader(
            avcC(lengthSize: 2, sps: other.sequenceParameterSet, pps: other.pictureParameterSet)
        )
        #expect(try reader.read(lengthPrefixed(other.slices[0].nalUnit, size: 2)).configurationChanged)
        #expect(reader.configuration?.picture.width == 318)
    }

    @Test(arguments: ["02", "01", "0164001fff", "0164001ffde1", "0164001ffee100", "0164001fffe1000467"])
    func aBrokenHeaderIsAnError(hex: String) throws {
        #expect(throws: CodecError.self) { try AVCAccessUnitReader(header: [UInt8](hex: hex)) }
        var reader = try AVCAccessUnitReader(header: annexB(sps, pps))
        #expect(throws: CodecError.self) { try reader.replaceHeader([UInt8](hex: hex)) }
        #expect(try payload(of: reader.read(annexB(idr))) == lengthPrefixed(idr).hex)
    }

    @Test(arguments: ["", "00", "65aabb", "000001"])
    func aPacketWithoutNALUnitsIsAnError(hex: String) throws {
        var reader = try AVCAccessUnitReader(header: [])
        #expect(throws: CodecError.invalid("access unit without NAL units")) {
            try reader.read([UInt8](hex: hex))
        }
    }

    @Test func aLengthBeyondTheEndIsAnError() throws {
        var reader = try AVCAccessUnitReader(header: avcC(lengthSize: 4, sps: sps, pps: pps))
        #expect(throws: CodecError.truncated) { try reader.read(lengthPrefixed(idr).dropLast()) }
    }

    @Test func protectedBytesStartBehindTheSliceHeader() throws {
        var reader = try AVCAccessUnitReader(header: avcC(lengthSize: 4, sps: sps, pps: pps), wantsSubsamples: true)
        let (first, second) = (vector.slices[0], vector.slices[1])
        let unit = try reader.read(lengthPrefixed(recoverySEI, first.nalUnit, second.nalUnit, recoverySEI))
        #expect(
            unit.subsamples == [
                Subsample(
                    clearBytes: UInt16(4 + recoverySEI.count + 4 + first.byteCount),
                    protectedBytes: UInt32(first.nalUnit.count - first.byteCount)
                ),
                Subsample(
                    clearBytes: UInt16(4 + second.byteCount),
                    protectedBytes: UInt32(second.nalUnit.count - second.byteCount)
                ),
                Subsample(clearBytes: UInt16(4 + recoverySEI.count), protectedBytes: 0),
            ]
        )
        let covered = unit.subsamples.reduce(0) { $0 + Int($1.clearBytes) + Int($1.protectedBytes) }
        #expect(covered == unit.payload.readableBytes)
    }

    @Test func subsamplesNeedTheParameterSets() throws {
        var reader = try AVCAccessUnitReader(header: [], wantsSubsamples: true)
        #expect(throws: CodecError.missingParameterSet(pictureParameterSetID: 0)) {
            try reader.read(annexB(idr))
        }
        reader.wantsSubsamples = false
        let unit = try reader.read(annexB(idr))
        #expect(unit.isSync && !unit.configurationChanged && reader.configuration == nil)
    }

    @Test(arguments: [[0x42, 0x88, 0x80], [0x43, 0x80], [0x44, 0x80]] as [[UInt8]], [false, true])
    func dataPartitionsAreRefused(partition: [UInt8], wantsSubsamples: Bool) throws {
        var reader = try AVCAccessUnitReader(header: [], wantsSubsamples: wantsSubsamples)
        #expect(throws: CodecError.unsupported("slice data partitioning")) {
            try reader.read(annexB(sps, pps, partition))
        }
        #expect(try reader.read(annexB(idr)).configurationChanged)
    }

    /// Where a PID changes to HEVC, packets of it come before the program map that says so.
    @Test func picturesOfHEVCAreNone() throws {
        var reader = try AVCAccessUnitReader(header: [])
        _ = try reader.read(annexB(sps, pps, idr))
        let (delimiter, parameterSets) = ([UInt8](hex: "460150"), [HEVCVector.vps, HEVCVector.sps, HEVCVector.pps])
        let keyFrame = annexB([delimiter] + parameterSets + [HEVCVector.idr])
        #expect(throws: CodecError.unsupported("slice data partitioning")) { try reader.read(keyFrame) }
        #expect(reader.isSync(unreadable: keyFrame.span.bytes) == false)
        #expect(throws: CodecError.unsupported("slice data partitioning")) {
            try reader.read(annexB(delimiter, [0x02, 0x01, 0xD0]))
        }
        #expect(try !reader.read(annexB(delimiter, [0x00, 0x01, 0xD0])).hasPicture)
        let unit = try reader.read(annexB(p))
        #expect(payload(of: unit) == lengthPrefixed(p).hex)
    }

    @Test(arguments: [
        ("06 0601c4 80", true, false), ("06 060144 80", true, true), ("06 0403aabbcc 80", false, false),
        ("06 ff0000000300000003000601c4 80", false, false), ("06 06", false, false), ("06", false, false),
    ])
    func recoveryPointsAreRightAtOnceOrLater(hex: String, isRecoveryPoint: Bool, recoversGradually: Bool) throws {
        var reader = try AVCAccessUnitReader(header: [])
        let unit = try reader.read(annexB([UInt8](hex: hex), p))
        #expect((unit.isRecoveryPoint, unit.recoversGradually) == (isRecoveryPoint, recoversGradually))
        #expect(!unit.isSync)
    }

    @Test func manySmallNALUnitsOutgrowTheirPacket() throws {
        var reader = try AVCAccessUnitReader(header: [])
        let packet = (0..<1000).flatMap { _ in [0, 0, 1, 0x41] as [UInt8] }
        let unit = try reader.read(packet)
        #expect(unit.payload.readableBytes == 5000)
    }
}
