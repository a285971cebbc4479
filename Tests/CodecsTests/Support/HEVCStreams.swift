import Codecs

/// NAL units of an HEVC stream behind start codes.
func nalUnits(of stream: [UInt8]) throws -> [[UInt8]] {
    var nalUnits = NALUnits(stream.span.bytes, framing: .startCodes)
    var result: [[UInt8]] = []
    while let nalUnit = try nalUnits.next() { result.append(nalUnit.withUnsafeBytes { Array($0) }) }
    return result
}

/// nal_unit_type of a NAL unit of HEVC.
func hevcType(_ nalUnit: [UInt8]) -> Int { Int(nalUnit[0] >> 1 & 0x3F) }

/// An HEVCDecoderConfigurationRecord with an array of each NAL unit type that comes.
func hvcC(lengthSize: Int = 4, _ nalUnits: [UInt8]...) -> [UInt8] {
    var record = [UInt8](repeating: 0, count: 21)
    record[0] = 1
    record += [UInt8(0xF8 | lengthSize - 1), UInt8(nalUnits.count)]
    for nalUnit in nalUnits {
        record += [UInt8(0x80 | hevcType(nalUnit)), 0, 1, UInt8(nalUnit.count >> 8), UInt8(nalUnit.count & 0xFF)]
        record += nalUnit
    }
    return record
}
