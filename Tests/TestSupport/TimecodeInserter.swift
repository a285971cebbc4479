/// Labels the pictures of an H.264 stream with timecode, as x264 cannot: picture timing SEI messages with clock
/// timestamps take the place of those without (ISO/IEC 14496-10 § D.1.3).
package struct TimecodeInserter: Sendable {
    /// A clock timestamp; what is nil is left out of it.
    package struct Timestamp: Sendable {
        package var hours: Int?
        package var minutes: Int?
        package var seconds: Int?
        package var frames: Int
        package var isDropFrame: Bool

        package init(hours: Int?, minutes: Int?, seconds: Int?, frames: Int, isDropFrame: Bool = false) {
            self.hours = hours
            self.minutes = minutes
            self.seconds = seconds
            self.frames = frames
            self.isDropFrame = isDropFrame
        }
    }

    /// Bits of cpb_removal_delay and dpb_output_delay, by the sequence parameter set; 0 without either.
    package var delayBits: Int
    /// time_offset_length.
    package var timeOffsetBits: Int

    package init(delayBits: Int = 0, timeOffsetBits: Int = 24) {
        self.delayBits = delayBits
        self.timeOffsetBits = timeOffsetBits
    }

    /// The SEI NAL unit of a picture with one clock timestamp.
    package func message(_ timestamp: Timestamp) -> [UInt8] {
        var bits = [Bool](repeating: false, count: delayBits)
        func write(_ value: Int, _ count: Int) {
            for shift in (0..<count).reversed() { bits.append(value >> shift & 1 == 1) }
        }
        write(0, 4)  // pic_struct: a frame
        write(1, 1)  // clock_timestamp_flag
        write(0, 2)  // ct_type: progressive
        write(1, 1)  // nuit_field_based_flag
        write(timestamp.isDropFrame ? 4 : 0, 5)  // counting_type
        let isFull = timestamp.hours != nil && timestamp.minutes != nil && timestamp.seconds != nil
        write(isFull ? 1 : 0, 1)
        write(0, 1)  // discontinuity_flag
        write(timestamp.isDropFrame ? 1 : 0, 1)  // cnt_dropped_flag
        write(timestamp.frames, 8)
        for (value, count) in [(timestamp.seconds, 6), (timestamp.minutes, 6), (timestamp.hours, 5)] {
            if !isFull { write(value == nil ? 0 : 1, 1) }
            guard let value else { break }
            write(value, count)
        }
        write(0, timeOffsetBits)
        // sei_payload() is aligned to a byte by a one and zeros (§ D.1.1).
        if bits.count % 8 != 0 {
            write(1, 1)
            while bits.count % 8 != 0 { write(0, 1) }
        }
        let payload = stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
        }
        return [0x06] + ByteStream.escaped([1, UInt8(payload.count)] + payload + [0x80])
    }

    /// Labels every picture of one slice, in order of decoding.
    ///
    /// - Parameters:
    ///   - stream: NAL units behind start codes.
    ///   - timestamp: The label of the nth picture; nil for none.
    /// - Returns: The stream with start codes of four bytes.
    package func insert(into stream: [UInt8], timestamp: (Int) -> Timestamp?) -> [UInt8] {
        var result: [UInt8] = []
        var pictures = 0
        for nalUnit in ByteStream.nalUnits(of: stream) {
            // A picture timing message alone, as x264 writes it.
            if nalUnit.count > 1, nalUnit[0] & 0x1F == 6, nalUnit[1] == 1 { continue }
            if [1, 5].contains(nalUnit[0] & 0x1F) {
                if let timestamp = timestamp(pictures) { result += [0, 0, 0, 1] + message(timestamp) }
                pictures += 1
            }
            result += [0, 0, 0, 1] + nalUnit
        }
        return result
    }
}
