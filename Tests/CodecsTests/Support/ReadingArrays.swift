@testable import Codecs

// What reads spans, for arrays: a span needs a name for what it is a span of.

extension AccessUnitReader {
    mutating func read(_ bytes: [UInt8]) throws(CodecError) -> AccessUnit { try read(bytes.span.bytes) }
}

extension AudioFrameReader {
    mutating func read(_ bytes: [UInt8]) throws(CodecError) -> AudioFrames { try read(bytes.span.bytes) }
}

extension AVCParameterSets {
    mutating func insert(_ nalUnit: [UInt8]) throws(CodecError) -> Bool { try insert(nalUnit.span.bytes) }
}

extension SequenceParameterSet {
    init(_ nalUnit: [UInt8]) throws(CodecError) { try self.init(nalUnit.span.bytes) }
}

extension PictureParameterSet {
    init(_ nalUnit: [UInt8]) throws(CodecError) { try self.init(nalUnit.span.bytes) }
}

extension AVCSliceHeader {
    init(_ nalUnit: [UInt8], parameterSets: AVCParameterSets) throws(CodecError) {
        try self.init(nalUnit.span.bytes, parameterSets: parameterSets)
    }
}
