/// What would become of encoders if another process took the place of this one now.
package struct UpgradeForecast: Hashable, Codable, Sendable {
    /// Why none could, so that everything would go on as before; nil where nothing is known against it.
    package var obstacle: String?
    /// One for each input, in the order of channels.
    package var encoders: [Prospect]

    package init(obstacle: String? = nil, encoders: [Prospect]) {
        self.obstacle = obstacle
        self.encoders = encoders
    }

    /// What would become of the encoder of an input.
    package struct Prospect: Hashable, Codable, Sendable {
        /// The channel's name.
        package var channel: String
        /// What operators call it: `input-1`, `backup-1`.
        package var input: String
        /// What carries the feed: `rtmp`, `srt`, `tcp`, `udp`, `file`.
        package var transport: String
        /// Whether nothing has to connect again.
        package var keeps: Bool
        /// What is done with the feed, for people.
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
