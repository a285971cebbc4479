package import MediaCore
package import Playlists

/// The health of a channel as a packager reports it to its peer: enough to see which of the two does better.
package struct PeerHealth: Hashable, Sendable, Codable {
    /// The newest slot that it published; nil while it has published none.
    package var slot: Int64?
    /// The first slot that it, or its peer, ever published; nil if there is none yet, or if it does not report it.
    package var first: Int64?
    /// The conditions that hold, including those on which the peer does not fail.
    ///
    /// The reader judges the age of the newest slot itself.
    package var conditions: [FailureCondition]
    /// The bandwidths that it has measured, by rendition; empty if it sends none, or none that can be read.
    package var meters: [RenditionID: BandwidthMeter]
    /// A digest of the schedule that was posted to it; empty if there is none, or if it does not report it.
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
        // The rest of the report is worth knowing without them.
        meters = (try? container.decodeIfPresent([RenditionID: BandwidthMeter].self, forKey: .meters)) ?? [:]
        schedule = try container.decodeIfPresent(String.self, forKey: .schedule) ?? ""
    }
}
