import MediaCore
import NIOCore
import Testing

@testable import ISOBMFF

@Suite struct SampleEncryptionBoxesTests {
    private static let one = [Subsample(clearBytes: 0x0105, protectedBytes: 0x0203_0405)]
    private static let two = one + [Subsample(clearBytes: 7, protectedBytes: 8)]

    @Test func wholeSamplesAreCountedOnly() {
        let boxes = SampleEncryptionBoxes([Fixture.sample([1]), Fixture.sample([2])], encryption: .constantIV)
        #expect(boxes.sizes == nil)
        #expect(boxes.offsets == nil)
        #expect(boxes.samples.hex == digits("00000010 73656e63 00000000 00000002"))
    }

    @Test func subsamplesAreListedAndMeasured() {
        let boxes = SampleEncryptionBoxes(
            [Fixture.sample([1], subsamples: Self.one), Fixture.sample([2], subsamples: Self.two)],
            encryption: .constantIV
        )
        #expect(boxes.sizes?.hex == digits("00000013 7361697a 00000000 00 00000002 08 0e"))
        #expect(boxes.offsets?.hex == digits("00000014 7361696f 00000000 00000001 00000000"))
        #expect(
            boxes.samples.hex
                == digits(
                    "00000026 73656e63 00000002 00000002 0001 0105 02030405 0002 0105 02030405 0007 00000008"
                )
        )
        #expect(boxes.samples.entriesOffset == 16)
    }

    @Test func entriesOfOneSizeAreMeasuredOnce() {
        let sample = Fixture.sample([1], subsamples: Self.two)
        #expect(
            SampleEncryptionBoxes([sample, sample, sample], encryption: .constantIV).sizes?.hex
                == digits("00000011 7361697a 00000000 0e 00000003")
        )
    }

    @Test func wholeSampleAmongOthersIsOneSubsample() {
        let boxes = SampleEncryptionBoxes(
            [Fixture.sample([1], subsamples: Self.one), Fixture.sample([1, 2, 3])],
            encryption: .constantIV
        )
        #expect(
            boxes.samples.hex
                == digits("00000020 73656e63 00000002 00000002 0001 0105 02030405 0001 0000 00000003")
        )
    }

    @Test func wholeSamplesHaveTheirVectors() {
        let boxes = SampleEncryptionBoxes(
            [Fixture.sample([1]), Fixture.sample([2]), Fixture.sample([3])],
            encryption: .vectors([Bytes16(high: .max, low: .max), Bytes16(high: 0, low: 1), Bytes16(high: 2, low: 3)])
        )
        #expect(boxes.sizes?.hex == digits("00000011 7361697a 00000000 10 00000003"))
        #expect(boxes.offsets?.hex == digits("00000014 7361696f 00000000 00000001 00000000"))
        #expect(
            boxes.samples.hex
                == digits(
                    """
                    00000040 73656e63 00000000 00000003 ffffffffffffffff ffffffffffffffff
                    0000000000000000 0000000000000001 0000000000000002 0000000000000003
                    """
                )
        )
        #expect(boxes.samples.entriesOffset == 16)
    }

    @Test func vectorsComeBeforeSubsamples() {
        let boxes = SampleEncryptionBoxes(
            [Fixture.sample([1], subsamples: Self.one), Fixture.sample([2], subsamples: Self.two)],
            encryption: .vectors([Bytes16(high: 0x0102_0304_0506_0708, low: 9), Bytes16(high: 0x0A, low: 0x0B)])
        )
        #expect(boxes.sizes?.hex == digits("00000013 7361697a 00000000 00 00000002 18 1e"))
        #expect(
            boxes.samples.hex
                == digits(
                    """
                    00000046 73656e63 00000002 00000002 0102030405060708 0000000000000009 0001 0105 02030405
                    000000000000000a 000000000000000b 0002 0105 02030405 0007 00000008
                    """
                )
        )
    }

    @Test(arguments: [
        (42, MovieFragment.Encryption.constantIV, true), (43, .constantIV, false),
        (39, .vectors([Bytes16(high: 0, low: 0)]), true), (40, .vectors([Bytes16(high: 0, low: 0)]), false),
    ])
    func moreSubsamplesThanASizeCanSayAreLeftToTheSampleEncryptionBox(
        count: Int,
        encryption: MovieFragment.Encryption,
        isMeasured: Bool
    ) {
        let subsamples = Array(repeating: Subsample(clearBytes: 1, protectedBytes: 1), count: count)
        let boxes = SampleEncryptionBoxes([Fixture.sample([1], subsamples: subsamples)], encryption: encryption)
        #expect((boxes.sizes != nil) == isMeasured)
        #expect((boxes.offsets != nil) == isMeasured)
        #expect(boxes.samples.byteCount == 16 + (encryption == .constantIV ? 0 : 16) + 2 + 6 * count)
    }

    @Test func subsamplesBeyondTheirCountAreLeftOut() {
        let subsamples = Array(repeating: Subsample(clearBytes: 1, protectedBytes: 1), count: 65_537)
        #expect(Fixture.sample([1], subsamples: subsamples).subsamples.count == 65_535)
    }
}
