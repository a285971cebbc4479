import MediaCore
import Testing

@testable import Codecs

struct SequenceParameterSetTests {
    @Test func saysWhatThePictureIs() throws {
        let sps = try SequenceParameterSet(H264Vector.cropped.sequenceParameterSet)
        #expect(sps.id == 0)
        #expect([sps.profile, sps.compatibility, sps.level] == [0x64, 0, 12])
        #expect((sps.widthInMacroblocks, sps.heightInMapUnits) == (20, 12))
        #expect((sps.width, sps.height) == (318, 178))
        #expect(sps.frameNumberBits == 4)
        #expect(sps.pictureOrderCount == .coded(bits: 6))
        #expect(sps.isFramesOnly)
        #expect(sps.usability.sampleAspectRatio == Ratio(4, 3))
        #expect(sps.usability.frameRate == Ratio(25, 1))
        #expect(
            sps.usability.colour == ColourDescription(primaries: 1, transfer: 1, matrix: 1, isFullRange: true)
        )
    }

    @Test(arguments: [
        (H264Vector.baseline, 1, 8, true, Ratio(25, 1)),
        (.interlaced, 1, 8, false, Ratio(25, 1)),
        (.fullChroma, 3, 8, true, Ratio(25, 1)),
        (.monochrome, 0, 8, true, Ratio(25, 1)),
        (.tenBit, 2, 10, true, Ratio(25, 1)),
        (.tinySlices, 1, 8, true, Ratio(30_000, 1001)),
        (.constantRate, 1, 8, true, Ratio(25, 1)),
    ])
    func readsEveryChromaFormat(vector: H264Vector, chroma: Int, depth: Int, isFramesOnly: Bool, rate: Ratio) throws {
        let sps = try SequenceParameterSet(vector.sequenceParameterSet)
        #expect((sps.width, sps.height) == (320, 180))
        #expect(sps.chromaFormat == chroma)
        #expect((sps.lumaBitDepth, sps.chromaBitDepth) == (depth, depth))
        #expect(sps.isFramesOnly == isFramesOnly)
        #expect(sps.usability.sampleAspectRatio == Ratio(1, 1))
        #expect(sps.usability.frameRate == rate)
    }

    /// x264 writes the second one for timestamps of 90 kHz if the durations of frames may differ.
    @Test(arguments: [
        (50, false, Ratio(25, 1)), (180_000, false, nil), (180_000, true, Ratio(90_000, 1)),
    ])
    func anImplausibleFrameRateHasToBePromised(timescale: Int, isFixed: Bool, rate: Ratio?) throws {
        var bits = BitWriter()
        bits.write(0b0000_1, bits: 5)  // timing_info_present_flag alone
        bits.write(1, bits: 32)
        bits.write(timescale, bits: 32)
        bits.write(isFixed)
        bits.write(0, bits: 3)  // no decoder model, no pic_struct
        let bytes = bits.bytes
        var reader = BitReader(bytes.span.bytes)
        let usability = try VideoUsabilityInformation(&reader)
        #expect(usability.frameRate == rate && usability.hasFixedFrameRate == isFixed)
    }

    @Test func aUsabilityInformationCutShortIsTakenAsAbsent() throws {
        let bytes = Array(H264Vector.cropped.sequenceParameterSet.prefix(12))
        let sps = try SequenceParameterSet(bytes)
        #expect((sps.width, sps.height) == (318, 178))
        #expect(sps.usability == VideoUsabilityInformation())
    }

    @Test func whatIsCutShortEarlierIsAnError() {
        for count in 0..<9 {
            let bytes = Array(H264Vector.cropped.sequenceParameterSet.prefix(count))
            #expect(throws: CodecError.truncated) { try SequenceParameterSet(bytes) }
        }
    }
}
