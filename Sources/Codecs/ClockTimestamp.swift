import MediaCore

/// Reads clock timestamps, which H.264 (ISO/IEC 14496-10 § D.1.3) and HEVC (ISO/IEC 23008-2 § D.2.27) write alike.
///
/// One that leaves out hours, minutes or seconds means those of the one before it, in decoding order (§ D.2.3), so one
/// of these reads all of a stream.
struct ClockTimestamp: Hashable, Sendable {
    private var hours: Int?
    private var minutes: Int?
    private var seconds: Int?

    init() {}

    /// Reads one from counting_type to hours_value.
    ///
    /// - Parameters:
    ///   - reader: At counting_type.
    ///   - frameBits: Bits of n_frames.
    /// - Returns: The label; nil if a part of it was left out and never came before, or is out of its range.
    /// - Throws: ``CodecError/truncated``.
    mutating func read(_ reader: inout BitReader, frameBits: Int) throws(CodecError) -> Timecode? {
        let countingType = try reader.read(5)
        let isFull = try reader.readFlag()
        try reader.skip(1)  // discontinuity_flag
        let hasDropped = try reader.readFlag()
        let frames = Int(try reader.read(frameBits))
        func isGiven(_ reader: inout BitReader) throws(CodecError) -> Bool {
            if isFull { return true }
            return try reader.readFlag()
        }
        if try isGiven(&reader) {
            seconds = Int(try reader.read(6))
            if try isGiven(&reader) {
                minutes = Int(try reader.read(6))
                if try isGiven(&reader) { hours = Int(try reader.read(5)) }
            }
        }
        guard let hours, let minutes, let seconds else { return nil }
        // Table D-2: 4 is drop-frame counting, which encoders that know no table tell by cnt_dropped_flag.
        let isDropFrame = countingType == 4 || hasDropped && 2...6 ~= countingType
        return Timecode(hours: hours, minutes: minutes, seconds: seconds, frames: frames, isDropFrame: isDropFrame)
    }
}
