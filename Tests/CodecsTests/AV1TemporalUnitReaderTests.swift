import MediaCore
import NIOCore
import Testing

@testable import Codecs

struct AV1TemporalUnitReaderTests {
    private let sequence = SyntheticAV1.sequenceHeader()
    private let key = SyntheticAV1.keyFrame()
    private let delimiter = AV1Stream.temporalDelimiter

    private func payload(of unit: AccessUnit) -> String { unit.payload.readableBytesView.hex }

    @Test func delimitersPaddingTileListsAndRedundantHeadersAreLeftOut() throws {
        var reader = try AV1TemporalUnitReader(header: [])
        let reserved = SyntheticAV1.obu(9, [1, 0x80])
        let left = [8, 15].flatMap { SyntheticAV1.obu($0, [0, 0x80]) }
        let unit = try reader.read(delimiter + sequence + left + reserved + key + SyntheticAV1.obu(7, [0x10, 0x80]))
        #expect(payload(of: unit) == (sequence + reserved + key).hex)
        #expect(unit.hasPicture && unit.isSync && unit.configurationChanged && unit.subsamples.isEmpty)
    }

    @Test func theLastOBUGetsASizeField() throws {
        var reader = try AV1TemporalUnitReader(header: [], wantsSubsamples: true)
        let unsized = [UInt8(6 << 3)] + key.dropFirst(2)
        let unit = try reader.read(sequence + unsized)
        #expect(payload(of: unit) == (sequence + key).hex)
        let covered = unit.subsamples.reduce(0) { $0 + Int($1.clearBytes) + Int($1.protectedBytes) }
        #expect(covered == unit.payload.readableBytes)
    }

    @Test func aLongOBUGetsALongSizeField() throws {
        var reader = try AV1TemporalUnitReader(header: [])
        let tile = [UInt8](repeating: 7, count: 300)
        let frame = Array(key.dropFirst(2).dropLast(3)) + tile
        let unit = try reader.read(sequence + [6 << 3] + frame)
        #expect(payload(of: unit) == (sequence + [6 << 3 | 2, UInt8(frame.count & 0x7F) | 0x80, 2] + frame).hex)
    }

    @Test func headerExtensionsStay() throws {
        var reader = try AV1TemporalUnitReader(header: [], wantsSubsamples: true)
        let layered = [6 << 3 | 4, 0x28] + key.dropFirst(2)
        let unit = try reader.read(sequence + layered)
        #expect(payload(of: unit) == (sequence + [6 << 3 | 6, 0x28] + key.dropFirst()).hex)
        #expect(unit.tiles == [unit.payload.readableBytes - 3..<unit.payload.readableBytes])
    }

    @Test func aKeyFrameWithoutSequenceHeaderGetsIt() throws {
        var reader = try AV1TemporalUnitReader(header: SyntheticAV1.record(sequence), wantsSubsamples: true)
        let unit = try reader.read(key)
        #expect(payload(of: unit) == (sequence + key).hex)
        #expect(unit.isSync)
        #expect(unit.tiles == [sequence.count + key.count - 3..<sequence.count + key.count])
    }

    @Test func onlyAShownKeyFrameInFrontIsASyncSample() throws {
        var reader = try AV1TemporalUnitReader(header: sequence)
        #expect(try reader.read(key).isSync)
        let forward = try reader.read(SyntheticAV1.keyFrame(isShown: false) + SyntheticAV1.shownExistingFrame(1))
        #expect(forward.hasPicture && !forward.isSync)
        #expect(try !reader.read(SyntheticAV1.shownExistingFrame(0)).isSync)
        #expect(try !reader.read(SyntheticAV1.intraOnlyFrame()).isSync)
        #expect(try !reader.read(SyntheticAV1.intraOnlyFrame() + key).isSync)
    }

    @Test func withoutASequenceHeaderThereIsNoSyncSample() throws {
        var reader = try AV1TemporalUnitReader(header: [])
        let unit = try reader.read(key)
        #expect(unit.hasPicture && !unit.isSync && !unit.configurationChanged)
        #expect(reader.configuration == nil)
        reader.wantsSubsamples = true
        #expect(throws: CodecError.invalid("frame without a sequence header")) { try reader.read(key) }
    }

    @Test func severalTemporalUnitsAreReadOneByOne() throws {
        var reader = try AV1TemporalUnitReader(header: [])
        let packet = delimiter + sequence + key + delimiter + SyntheticAV1.shownExistingFrame(2)
        let first = try reader.read(packet)
        #expect(first.packetBytes == delimiter.count + sequence.count + key.count)
        let second = try reader.read(Array(packet.dropFirst(first.packetBytes)))
        #expect(payload(of: second) == SyntheticAV1.shownExistingFrame(2).hex)
        #expect(first.packetBytes + second.packetBytes == packet.count)
    }

    @Test func theConfigurationComesFromTheSequenceHeader() throws {
        var reader = try AV1TemporalUnitReader(header: [])
        let sequence = SyntheticAV1.sequenceHeader(width: 320, hasColour: true, frameRate: 1001)
        _ = try reader.read(sequence + key)
        let colour = ColourDescription(primaries: 9, transfer: 16, matrix: 9, isFullRange: false)
        #expect(
            reader.configuration
                == AV1Configuration(
                    sequenceHeader: sequence,
                    profile: 0,
                    level: 8,
                    isHighTier: true,
                    chromaSamplePosition: 2,
                    picture: PictureFormat(width: 320, height: 64, frameRate: Ratio(30_000, 1001), colour: colour)
                )
        )
    }

    @Test func onlyAnotherSequenceHeaderIsAChange() throws {
        var reader = try AV1TemporalUnitReader(header: SyntheticAV1.record(sequence))
        #expect(try reader.read(sequence + key).configurationChanged)
        #expect(try !reader.read(sequence + key).configurationChanged)
        try reader.replaceHeader(sequence)
        #expect(try !reader.read(key).configurationChanged)
        let other = SyntheticAV1.sequenceHeader(width: 128)
        #expect(try reader.read(other + key).configurationChanged)
        #expect(reader.configuration?.picture.width == 128)
        try reader.replaceHeader(SyntheticAV1.record(sequence))
        #expect(try payload(of: reader.read(key)) == (sequence + key).hex)
        #expect(reader.configuration?.picture.width == 64)
    }

    /// The display is DCI-P3 at D65 and 1000 to 0.005 cd/m²: red, green, blue, white; then green, blue, red, white.
    @Test func masteringMetadataIsInTheUnitsOfMdcv() throws {
        let display = SyntheticAV1.metadata(2, "ae14 51ec 43d7 b0a4 2666 0f5c 500d 5439 0003e800 00000052")
        let light = SyntheticAV1.metadata(1, "03e8 0190")
        var reader = try AV1TemporalUnitReader(header: SyntheticAV1.record(sequence + light))
        #expect(reader.configuration?.picture.dynamicRange.contentLight?.hex == "03e80190")
        // Ahead of the sequence header that it goes with.
        let other = SyntheticAV1.sequenceHeader(width: 128)
        #expect(try reader.read(display + other + key).configurationChanged)
        let range = reader.configuration?.picture.dynamicRange
        #expect(range?.masteringDisplay?.hex == "33c286c41d4c0bb884d03e803d1340420098968000000032")
        #expect(range?.contentLight == nil && range?.hasHDR10Plus == false)
        #expect(try !reader.read(other + display + key).configurationChanged)
    }

    @Test func luminanceBeyondMdcvIsClamped() throws {
        let display = SyntheticAV1.metadata(2, String(repeating: "ffff", count: 8) + "ffffffff ffffffff")
        var reader = try AV1TemporalUnitReader(header: [])
        _ = try reader.read(sequence + display + key)
        let bytes = reader.configuration?.picture.dynamicRange.masteringDisplay
        #expect(bytes?.hex == String(repeating: "c34f", count: 8) + "ffffffff" + "9c3fffff")
    }

    @Test(arguments: [("b5003c00010401", true), ("b5003c00010501", false), ("b5003100010401", false), ("b5", false)])
    func hdr10PlusIsSeen(hex: String, isSeen: Bool) throws {
        var reader = try AV1TemporalUnitReader(header: [])
        _ = try reader.read(sequence + SyntheticAV1.metadata(4, hex) + key)
        #expect(reader.configuration?.picture.dynamicRange.hasHDR10Plus == isSeen)
    }

    @Test func timecodeIsReadWhereItIsWanted() throws {
        var writer = BitWriter()
        writer.write(0b00100, bits: 5)  // counting_type
        writer.write(0b1_0_1, bits: 3)  // full_timestamp_flag, discontinuity_flag, cnt_dropped_flag
        for (value, bits) in [(24, 9), (59, 6), (8, 6), (10, 5), (0, 5)] { writer.write(value, bits: bits) }
        let label = SyntheticAV1.metadata(5, writer.bytes.hex)
        var reader = try AV1TemporalUnitReader(header: SyntheticAV1.sequenceHeader(frameRate: 1001))
        #expect(try reader.read(label + key).timecode == nil)
        reader.wantsTimecode = true
        let timecode = try #require(try reader.read(label + key).timecode)
        #expect([timecode.hours, timecode.minutes, timecode.seconds, timecode.frames] == [10, 8, 59, 24])
        #expect(timecode.isDropFrame && timecode.frameRate == Ratio(30_000, 1001))
        #expect(try reader.read(key).timecode == nil)
    }

    @Test func aFrameWithoutItsReferenceCannotBeLaidOut() throws {
        var reader = try AV1TemporalUnitReader(header: sequence, wantsSubsamples: true)
        #expect(throws: CodecError.invalid("reference frame")) {
            try reader.read(SyntheticAV1.shownExistingFrame(0))
        }
        _ = try reader.read(key)
        #expect(try reader.read(SyntheticAV1.shownExistingFrame(0)).tiles.isEmpty)
    }

    @Test(arguments: ["81", "820000000a", "0a05ff", "8a", "0a01e0", "810000000a0b0000"])
    func aBrokenHeaderIsAnError(hex: String) throws {
        #expect(throws: CodecError.self) { try AV1TemporalUnitReader(header: [UInt8](hex: hex)) }
        var reader = try AV1TemporalUnitReader(header: sequence)
        #expect(throws: CodecError.self) { try reader.replaceHeader([UInt8](hex: hex)) }
        #expect(try payload(of: reader.read(key)) == (sequence + key).hex)
    }

    @Test(arguments: ["3205", "80", "32ffffffffffffffff01", "34", "0a01e0"])
    func brokenOBUsAreErrors(hex: String) throws {
        var reader = try AV1TemporalUnitReader(header: sequence)
        #expect(throws: CodecError.self) { try reader.read([UInt8](hex: hex)) }
    }

    @Test(arguments: [
        (false, false, nil, "av01.0.08H.08"), (false, true, nil, "av01.0.08H.08.0.110.02.02.02.1"),
        (true, false, 1001, "av01.0.08H.08.0.112.09.16.09.0"),
    ])
    func colourIsNamedWhereItIsNotTheDefault(hasColour: Bool, fullRange: Bool, rate: Int?, name: String) throws {
        let header = SyntheticAV1.sequenceHeader(hasColour: hasColour, fullRange: fullRange, frameRate: rate)
        let configuration = try #require(try AV1TemporalUnitReader(header: header).configuration)
        #expect(CodecConfiguration.av1(configuration).rfc6381 == name)
    }

    @Test(arguments: [(0, 8, "1.110"), (2, 10, "0.100"), (3, 12, "0.000")])
    func chromaIsNamed(chromaFormat: Int, bits: Int, name: String) {
        var picture = PictureFormat(width: 64, height: 64, chromaFormat: UInt8(chromaFormat))
        picture.lumaBitDepth = UInt8(bits)
        let configuration = AV1Configuration(
            sequenceHeader: [],
            profile: 2,
            level: 31,
            isHighTier: false,
            picture: picture
        )
        let depth = bits < 10 ? "0\(bits)" : "\(bits)"
        #expect(CodecConfiguration.av1(configuration).rfc6381 == "av01.2.31M.\(depth).\(name).01.01.01.0")
    }
}
