import MediaCore

/// The time code SEI message of HEVC (ISO/IEC 23008-2 § D.2.27).
enum HEVCTimeCode {
    private static let payloadType = 136

    /// Reads the label of a picture: its first clock timestamp.
    ///
    /// - Parameters:
    ///   - nalUnit: A prefix SEI NAL unit (type 39), header bytes included.
    ///   - timestamp: The state that stays from one picture to the next.
    /// - Returns: Nil if there is no such message, no clock timestamp in it, or none that is whole.
    /// - Throws: ``CodecError`` if the message is cut short.
    static func timecode(
        in nalUnit: RawSpan,
        timestamp: inout ClockTimestamp
    ) throws(CodecError) -> Timecode? {
        guard var message = try SEIMessage.first(ofType: payloadType, in: nalUnit, headerSize: 2) else { return nil }
        let count = try message.reader.read(2)
        for _ in 0..<count where try message.reader.readFlag() {
            try message.reader.skip(1)  // units_field_based_flag
            var next = timestamp
            let timecode = try next.read(&message.reader, frameBits: 9)
            try message.reader.skip(Int(message.reader.read(5)))  // time_offset_value
            guard !message.isOverrun else { throw .truncated }
            timestamp = next
            return timecode
        }
        return nil
    }
}
