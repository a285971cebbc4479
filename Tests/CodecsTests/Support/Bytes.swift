import TestSupport

extension [UInt8] {
    /// Takes hexadecimal digits; everything else between them is skipped.
    init(hex: String) {
        let digits = hex.compactMap(\.hexDigitValue)
        self = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    /// The bytes with one to four of them changed, or some of them missing.
    func mutated(using generator: inout SeededGenerator) -> [UInt8] {
        var bytes = self
        guard !bytes.isEmpty else { return bytes }
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
        }
        if Int.random(in: 0..<4, using: &generator) == 0 {
            bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator))
        }
        return bytes
    }

    /// The bytes in a NAL unit: an emulation prevention byte wherever ISO/IEC 14496-10 § 7.4.1.1 wants one.
    var escaped: [UInt8] {
        var result: [UInt8] = []
        var zeros = 0
        for byte in self {
            if zeros == 2, byte <= 3 {
                result.append(3)
                zeros = 0
            }
            zeros = byte == 0 ? zeros + 1 : 0
            result.append(byte)
        }
        return result
    }

    /// A NAL unit's contents, without its emulation prevention bytes.
    var unescaped: [UInt8] {
        var result: [UInt8] = []
        var zeros = 0
        for byte in self {
            if zeros >= 2, byte == 3 {
                zeros = 0
                continue
            }
            zeros = byte == 0 ? zeros + 1 : 0
            result.append(byte)
        }
        return result
    }

    /// Bytes that the first `count` of them take in a NAL unit.
    func escapedCount(of count: Int) -> Int { Swift.Array(prefix(count)).escaped.count }
}
