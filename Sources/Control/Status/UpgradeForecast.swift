/// The answer of `GET /upgrade`: the encoders that an upgrade would keep connected or cut off now.
package struct UpgradeForecast: Hashable, Codable, Sendable {
    /// The reason why an upgrade would fail; nil if none is known.
    package var obstacle: String?
    /// An entry for each input, in the order of channels.
    package var encoders: [EncoderOutcome]

    package init(obstacle: String? = nil, encoders: [EncoderOutcome]) {
        self.obstacle = obstacle
        self.encoders = encoders
    }

    /// The prospect of the encoder of one input.
    package struct EncoderOutcome: Hashable, Codable, Sendable {
        /// The channel's name.
        package var channel: String
        /// The name of the input in status and log: `input-1`, `backup-1`.
        package var input: String
        /// The transport of the feed: `rtmp`, `srt`, `tcp`, `udp`, `rtp`, `pipe`, `file`.
        package var transport: String
        /// False if an encoder is connected, and must connect again.
        package var keeps: Bool
        /// A sentence for the operator about the feed.
        package var reason: String

        package init(channel: String, input: String, transport: String, keeps: Bool, reason: String) {
            self.channel = channel
            self.input = input
            self.transport = transport
            self.keeps = keeps
            self.reason = reason
        }
    }
}
