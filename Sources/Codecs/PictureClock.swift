import MediaCore

/// Times the pictures of a PES packet, which states a timestamp for the first of them only (ISO/IEC 13818-1
/// § 2.4.3.7).
///
/// It assumes that pictures last as long as those of the packet before, or else as their parameter sets say, and are
/// presented in the order in which they are decoded.
struct PictureClock: Sendable {
    private var measured: MediaTime?
    private var latest: (timestamp: Int64, pictures: Int)?

    /// The longest picture; a longer time is a gap or a jump of the timestamps.
    private static let longest = MediaTime.timescale

    /// A packet was read.
    ///
    /// - Parameters:
    ///   - packet: Its timestamps as the input counts them.
    ///   - pictures: The number of pictures in it.
    mutating func packetRead(_ packet: PacketInfo, pictures: Int) {
        guard let timestamp = packet.decodeTimestamp ?? packet.presentationTimestamp, pictures > 0 else { return }
        if let latest {
            let step = (timestamp &- latest.timestamp) / Int64(latest.pictures)
            if 1..<Self.longest ~= step { measured = MediaTime(ticks: step) }
        }
        latest = (timestamp, pictures)
    }

    /// Returns the duration of a picture.
    ///
    /// - Parameter frameRate: The frame rate of its parameter sets, if they have one.
    /// - Returns: At least a tick.
    func duration(frameRate: Ratio?) -> MediaTime {
        if let measured { return measured }
        let rate = frameRate ?? Ratio(25, 1)
        return max(MediaTime(ticks: 1), MediaTime(Int64(rate.denominator), timescale: Int64(rate.numerator)))
    }
}
