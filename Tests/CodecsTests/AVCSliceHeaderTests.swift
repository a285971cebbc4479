import Testing

@testable import Codecs

struct AVCSliceHeaderTests {
    @Test(arguments: H264Vector.all)
    func lengthIsWhatFFmpegFinds(vector: H264Vector) throws {
        var parameterSets = AVCParameterSets()
        #expect(try parameterSets.insert(vector.sequenceParameterSet))
        #expect(try parameterSets.insert(vector.pictureParameterSet))
        for slice in vector.slices {
            let header = try AVCSliceHeader(slice.nalUnit, parameterSets: parameterSets)
            #expect(header.bitCount == slice.bitCount)
            #expect(header.byteCount == slice.byteCount)
        }
    }

    @Test func everyBranchOfTheSyntaxIsWalked() throws {
        for seed in 0..<300 as Range<UInt64> {
            var stream = SyntheticH264(seed: seed)
            var parameterSets = AVCParameterSets()
            _ = try parameterSets.insert(stream.sequenceParameterSet)
            _ = try parameterSets.insert(stream.pictureParameterSet)
            for _ in 0..<10 {
                let slice = stream.slice()
                let header = try AVCSliceHeader(slice.nalUnit, parameterSets: parameterSets)
                #expect(header.bitCount == slice.bitCount, "seed \(seed)")
                #expect(header.byteCount == slice.byteCount, "seed \(seed)")
            }
        }
    }

    @Test func aHeaderCutShortIsAnError() throws {
        let vector = H264Vector.manyReferences
        var parameterSets = AVCParameterSets()
        _ = try parameterSets.insert(vector.sequenceParameterSet)
        _ = try parameterSets.insert(vector.pictureParameterSet)
        for slice in vector.slices {
            for count in 0..<slice.byteCount {
                let bytes = Array(slice.nalUnit.prefix(count))
                #expect(throws: CodecError.truncated) {
                    try AVCSliceHeader(bytes, parameterSets: parameterSets)
                }
            }
        }
    }

    @Test func aSliceWithoutItsParameterSetsIsAnError() throws {
        let vector = H264Vector.tinySlices
        let slice = vector.slices[0].nalUnit
        var parameterSets = AVCParameterSets()
        let missing = CodecError.missingParameterSet(pictureParameterSetID: 3)
        #expect(throws: missing) { try AVCSliceHeader(slice, parameterSets: parameterSets) }
        _ = try parameterSets.insert(vector.pictureParameterSet)
        #expect(throws: missing) { try AVCSliceHeader(slice, parameterSets: parameterSets) }
    }

    @Test func slicesNameTheirPictureParameterSet() throws {
        let slice = H264Vector.tinySlices.slices[0].nalUnit
        #expect(try AVCSliceHeader.pictureParameterSetID(of: slice.span.bytes) == 3)
    }
}
