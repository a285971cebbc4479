extension ChannelStatus {
    /// The number of viewers, and how the players fare that report it (CMCD, CTA-5004).
    package struct Audience: Hashable, Codable, Sendable {
        /// Clients that requested media within the last 30 seconds.
        package var viewers: Int
        /// Viewers whose players report by CMCD.
        package var reporting: Int
        /// Viewers who ran out of media within the last minute.
        package var stalled: Int
        /// The number of stalls since the start.
        package var stalls: Int
        /// The mean length of the players' buffers.
        package var bufferLength: Seconds?
        /// The mean bit rate that players request.
        package var bitrate: Int?
        /// The mean throughput that players have measured.
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
