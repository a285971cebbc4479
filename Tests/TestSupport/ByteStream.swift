/// H.264 and HEVC as a byte stream of NAL units (ISO/IEC 14496-10 Annex B).
package enum ByteStream {
    /// The NAL units between start codes, without the zeros behind them.
    package static func nalUnits(of stream: [UInt8]) -> [[UInt8]] {
        var nalUnits: [[UInt8]] = []
        var start: Int?
        var index = 2
        func close(at end: Int) {
            guard let start else { return }
            var end = end
            while end > start, stream[end - 1] == 0 { end -= 1 }
            nalUnits.append(Array(stream[start..<end]))
        }
        while index < stream.count {
            if stream[index] == 1, stream[index - 1] == 0, stream[index - 2] == 0 {
                close(at: index - 2)
                start = index + 1
            }
            index += 1
        }
        close(at: stream.count)
        return nalUnits
    }

    /// With emulation prevention bytes (§ 7.4.1.1).
    package static func escaped(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var zeros = 0
        for byte in bytes {
            if zeros == 2, byte <= 3 {
                result.append(3)
                zeros = 0
            }
            zeros = byte == 0 ? zeros + 1 : 0
            result.append(byte)
        }
        return result
    }
}
