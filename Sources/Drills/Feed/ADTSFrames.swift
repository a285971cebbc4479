/// The frames of AAC in a transport stream, each behind its own header (ISO/IEC 14496-3 § 1.A.2.2).
enum ADTSFrames {
    /// Of a frame that is one raw data block.
    static let samplesPerFrame: Int64 = 1024

    /// Splits a PES packet's payload, which must hold whole frames; nil if it does not.
    ///
    /// - Returns: The frames with their headers, and the sampling frequency in hertz.
    static func split(_ payload: ArraySlice<UInt8>) -> (frames: [ArraySlice<UInt8>], frequency: Int64)? {
        var rest = payload
        var frames: [ArraySlice<UInt8>] = []
        var frequency: Int64?
        while !rest.isEmpty {
            let header = Array(rest.prefix(7))
            guard header.count == 7, header[0] == 0xFF, header[1] & 0xF6 == 0xF0 else { return nil }
            let index = Int(header[2] >> 2 & 15)
            let length = Int(header[3] & 3) << 11 | Int(header[4]) << 3 | Int(header[5] >> 5)
            // One raw data block a frame, as timestamps are counted by frames.
            guard index < frequencies.count, length >= 7, length <= rest.count, header[6] & 3 == 0 else { return nil }
            guard frequency == nil || frequency == frequencies[index] else { return nil }
            frequency = frequencies[index]
            frames.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return frequency.map { (frames, $0) }
    }

    private static let frequencies: [Int64] = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
    ]
}
