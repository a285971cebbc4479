package import MediaCore

/// How long a feed is silent when all is well: one that is fetched in segments brings a segment at once, and then nothing
/// until the next.
///
/// What has arrived of the media is ahead of the clock by as much as a burst brings, and falls back until the next one. The
/// distance between the highest and the lowest point of that is how long such a feed may be silent; of one that comes as it is
/// made it is next to nothing.
package struct DeliveryRhythm: Sendable {
    /// Since the start of a span, media time minus arrival, at least and at most.
    private var lead: (least: MediaTime, most: MediaTime)?
    private var spanStart = MediaTime.zero
    /// The swing of the span before.
    private var previous = MediaTime.zero

    /// Several segments of any server; what was learnt in one is forgotten after the next.
    private static let span = MediaTime(seconds: 30)
    /// More than a burst brings: timestamps have jumped.
    private static let mostLead = MediaTime(seconds: 60)
    /// Of a feed that comes as it is made.
    private static let leastPatience = MediaTime(seconds: 1)
    /// Servers cut segments of ten seconds at most, and playlists are not looked at the moment that they change.
    private static let mostPatience = MediaTime(seconds: 15)

    package init() {}

    /// The longest silence that is usual; more than that is a fault.
    package var patience: MediaTime {
        let swing = max(previous, swing)
        return min(max(Self.leastPatience, MediaTime(ticks: swing.ticks * 3 / 2)), Self.mostPatience)
    }

    /// A sample arrived.
    ///
    /// - Parameters:
    ///   - mediaTime: On its own timeline.
    ///   - arrival: UTC.
    package mutating func received(mediaTime: MediaTime, at arrival: MediaTime) {
        let now = MediaTime(ticks: mediaTime.ticks &- arrival.ticks)
        guard let lead, Self.isNear(now, lead.least), Self.isNear(now, lead.most) else {
            lead = (now, now)
            spanStart = arrival
            return
        }
        guard arrival - spanStart < Self.span else {
            previous = swing
            self.lead = (now, now)
            spanStart = arrival
            return
        }
        self.lead = (min(lead.least, now), max(lead.most, now))
    }

    private var swing: MediaTime { lead.map { MediaTime(ticks: $0.most.ticks &- $0.least.ticks) } ?? .zero }

    private static func isNear(_ time: MediaTime, _ other: MediaTime) -> Bool {
        MediaTime(ticks: time.ticks &- other.ticks) < mostLead && MediaTime(ticks: other.ticks &- time.ticks) < mostLead
    }
}
