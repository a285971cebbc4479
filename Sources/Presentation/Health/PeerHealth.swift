package import MediaCore
package import Playlists

/// What a packager tells its peer of a channel: enough to see which of the two does better.
package struct PeerHealth: Hashable, Sendable, Codable {
    /// The newest slot that was published by it; nil while none was.
    package var slot: Int64?
    /// The first slot that it, or its peer, ever published; nil while none was, and where it does not say.
    package var first: Int64?
    /// What holds of it, whether it fails on that or not; how old the slot is, whoever asks sees.
    package var conditions: [FailureCondition]
    /// What it has measured, by rendition; none where it does not say, or nothing that can be read.
    package var meters: [RenditionID: BandwidthMeter]
    /// A digest of what people or programs have told it; empty where that is nothing, or it does not say.
    package var schedule = ""

    package init(
        slot: Int64?,
        first: Int64? = nil,
        conditions: [FailureCondition],
        meters: [RenditionID: BandwidthMeter] = [:]
    ) {
        self.slot = slot
        self.first = first
        self.conditions = conditions
        self.meters = meters
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        slot = try container.decodeNumberIfPresent(forKey: .slot)?.value
        first = try container.decodeNumberIfPresent(forKey: .first)?.value
        conditions = try container.decode([FailureCondition].self, forKey: .conditions)
        // How it does is worth knowing all the same.
        meters = (try? container.decodeIfPresent([RenditionID: BandwidthMeter].self, forKey: .meters)) ?? [:]
        schedule = try container.decodeIfPresent(String.self, forKey: .schedule) ?? ""
    }
}
