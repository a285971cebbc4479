/// NAL units behind start codes of four bytes.
func annexB(_ nalUnits: [UInt8]...) -> [UInt8] {
    annexB(nalUnits)
}

func annexB(_ nalUnits: [[UInt8]]) -> [UInt8] {
    nalUnits.flatMap { nalUnit -> [UInt8] in [0, 0, 0, 1] + nalUnit }
}

/// NAL units of fewer than 256 bytes behind lengths of `size` bytes.
func lengthPrefixed(_ nalUnits: [UInt8]..., size: Int = 4) -> [UInt8] {
    nalUnits.flatMap { nalUnit -> [UInt8] in
        [UInt8](repeating: 0, count: size - 1) + [UInt8(nalUnit.count)] + nalUnit
    }
}

/// An AVCDecoderConfigurationRecord of one parameter set of each kind.
func avcC(lengthSize: Int, sps: [UInt8], pps: [UInt8]) -> [UInt8] {
    var record: [UInt8] = [1] + sps[1...3]
    record += [0xFC | UInt8(lengthSize - 1), 0xE1, 0, UInt8(sps.count)] + sps
    record += [1, 0, UInt8(pps.count)] + pps
    return record
}
