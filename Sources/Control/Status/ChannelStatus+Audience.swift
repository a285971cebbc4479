extension ChannelStatus {
    /// The number of viewers, and how the players fare that report it (CMCD, CTA-5004).
    package struct Audience: Hashable, Codable, Sendable {
        /// Clients that asked for media within the last 30 seconds.
        package var viewers: Int
        /// Viewers whose players report by CMCD.
        package var reporting: Int
        /// Viewers who ran out of media within the last minute.
        package var stalled: Int
        /// The number of times that any of them did, since the start.
        package var stalls: Int
        /// The media that players have in advance, on average.
        package var bufferLength: Seconds?
        /// Bits a second that they ask for, on average.
        package var bitrate: Int?
        /// Bits a second that they have measured, on average.
        package var throughput: Int?

        package init(
            viewers: Int = 0,
            reporting: Int = 0,
            stalled: Int = 0,
            stalls: Int = 0,
            bufferLength: Seconds? = nil,
            bitrate: Int? = nil,
            throughput: Int? = nil
        ) {
            self.viewers = viewers
            self.reporting = reporting
            self.stalled = stalled
            self.stalls = stalls
            self.bufferLength = bufferLength
            self.bitrate = bitrate
            self.throughput = throughput
        }
    }
}
