import MediaCore

extension ALACConfiguration {
    /// A compressed frame whose samples are all zero; nil if samples are wider than a compressed frame carries whole.
    var silence: [UInt8]? {
        // The difference of a pair takes one more bit, of 32.
        guard bitsPerSample < 32, specificConfig.count >= 24 else { return nil }
        var writer = BitWriter()
        for (tag, channels) in Self.elements(channels: channels).enumerated() {
            writer.write(channels - 1, bits: 3)  // ID_SCE or ID_CPE
            writer.write(tag, bits: 4)
            writer.write(0, bits: 12)
            writer.write(0, bits: 4)  // whole, nothing shifted off, compressed
            writer.write(0, bits: 16)  // mixBits, mixRes
            for _ in 0..<channels {
                writer.write(9, bits: 8)  // mode; denShift as the reference has it: FFmpeg takes 0 for damage
                writer.write(4, bits: 3)  // pbFactor: quarters of pb
                writer.write(0, bits: 5)  // no coefficients
            }
            for _ in 0..<channels { writeZeros(to: &writer) }
        }
        writer.write(7, bits: 3)  // ID_END
        return writer.bytes
    }

    /// Writes as many zeros as a frame has, in the adaptive Golomb code of the reference decoder's `dyn_decomp`.
    private func writeZeros(to writer: inout BitWriter) {
        let (factor, limit) = (Int(specificConfig[6]), Int(specificConfig[8]))
        var history = Int(specificConfig[7])
        var remaining = samplesPerFrame
        while remaining > 0 {
            // A zero has an empty prefix and the shortest of remainders.
            let bits = min(Self.log2((history >> 9) + 3), limit)
            writer.write(0, bits: max(1, bits))
            remaining -= 1
            history -= (factor * history) >> 9
            guard history < 128, remaining > 0 else { continue }
            // A run of zeros: the escape prefix and its length; after one of 65,535 no other may follow at once.
            let run = min(remaining, 0xFFFF)
            writer.write(0x1FF, bits: 9)
            writer.write(run, bits: 16)
            remaining -= run
            history = 0
        }
    }

    private static func log2(_ value: Int) -> Int { Int.bitWidth - 1 - value.leadingZeroBitCount }

    /// Channels of each element of a frame.
    private static func elements(channels: Int) -> [Int] {
        switch channels {
        case 1: [1]
        case 2: [2]
        case 3: [1, 2]
        case 4: [1, 2, 1]
        case 5: [1, 2, 2]
        case 6: [1, 2, 2, 1]
        case 7: [1, 2, 2, 1, 1]
        default: [1, 2, 2, 2, 1]
        }
    }
}
