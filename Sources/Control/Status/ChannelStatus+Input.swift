package import MediaCore

extension ChannelStatus {
    /// The state of one input of a channel.
    package struct Input: Hashable, Codable, Sendable {
        /// `input-1`, `backup-1`.
        package var name: String
        /// The input's URL or path, without secrets.
        var feed: String?
        var role: Role
        /// The input that it backs up.
        var standsByFor: String?
        var isConnected: Bool
        /// True if it is on air with a rendition.
        var isSelected: Bool
        /// Health, 0 to 100.
        var score: Int
        /// The reasons why the score is below 100, one phrase each.
        var reasons: [String]
        /// The recent bit rate.
        var bitrate: Int?
        var lastKeyFrameAge: Seconds?
        /// The number since the start.
        var continuityErrors: Int
        /// Timestamps that did not follow those before them, since the start.
        var timestampErrors: Int
        /// Datagrams that were lost before they were read, since the start; nil if none was.
        var datagramsLost: DatagramLosses?
        var isFrozen: Bool
        var isSilent: Bool
        var alignment: Alignment?

        package enum Role: String, Hashable, Codable, Sendable {
            case primary, backup
        }

        /// The offset of its timeline from the timeline of the input that it backs up.
        package struct Alignment: Hashable, Codable, Sendable {
            /// The time that is added to its timestamps.
            var offset: Seconds
            /// The method of finding the offset.
            var method: String

            package init(offset: Seconds, method: String) {
                self.offset = offset
                self.method = method
            }
        }

        package init(
            name: String,
            feed: String? = nil,
            role: Role,
            standsByFor: String? = nil,
            isConnected: Bool,
            isSelected: Bool,
            score: Int,
            reasons: [String] = [],
            bitrate: Int? = nil,
            lastKeyFrameAge: Seconds? = nil,
            continuityErrors: Int = 0,
            timestampErrors: Int = 0,
            datagramsLost: DatagramLosses? = nil,
            isFrozen: Bool = false,
            isSilent: Bool = false,
            alignment: Alignment? = nil
        ) {
            self.name = name
            self.feed = feed
            self.role = role
            self.standsByFor = standsByFor
            self.isConnected = isConnected
            self.isSelected = isSelected
            self.score = score
            self.reasons = reasons
            self.bitrate = bitrate
            self.lastKeyFrameAge = lastKeyFrameAge
            self.continuityErrors = continuityErrors
            self.timestampErrors = timestampErrors
            self.datagramsLost = datagramsLost
            self.isFrozen = isFrozen
            self.isSilent = isSilent
            self.alignment = alignment
        }

        private enum CodingKeys: String, CodingKey {
            case name, feed, role, standsByFor
            case isConnected = "connected"
            case isSelected = "selected"
            case score, reasons, bitrate, lastKeyFrameAge, continuityErrors, timestampErrors, datagramsLost
            case isFrozen, isSilent, alignment
        }
    }
}
