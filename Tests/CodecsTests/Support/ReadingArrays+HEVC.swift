@testable import Codecs

extension HEVCParameterSets {
    mutating func insert(_ nalUnit: [UInt8]) throws(CodecError) -> Bool { try insert(nalUnit.span.bytes) }
}

extension HEVCSequenceParameterSet {
    init(_ nalUnit: [UInt8]) throws(CodecError) { try self.init(nalUnit.span.bytes) }
}

extension HEVCPictureParameterSet {
    init(_ nalUnit: [UInt8]) throws(CodecError) { try self.init(nalUnit.span.bytes) }
}

extension HEVCVideoParameterSet {
    init(_ nalUnit: [UInt8]) throws(CodecError) { try self.init(nalUnit.span.bytes) }
}

extension HEVCSliceHeader {
    init(_ nalUnit: [UInt8], parameterSets: HEVCParameterSets) throws(CodecError) {
        try self.init(nalUnit.span.bytes, parameterSets: parameterSets)
    }
}
