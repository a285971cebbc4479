package import MediaCore

/// The silence of a feed when all is well: one that is fetched in segments brings a segment at once, and then nothing
/// until the next.
///
/// A burst puts the media that has arrived ahead of the clock; it falls back until the next burst. The size of that
/// fall is the longest silence to expect; it is close to zero for a feed that arrives in real time. A burst counts at
/// once, but only until packets arrive in real time: then it was the backlog of a start, and not a rhythm. A fall counts
/// until they have done so for longer than any segment takes to arrive: then it was a stutter, or an encoder whose
/// timestamps began again.
package struct DeliveryRhythm: Sendable {
    /// Media time minus arrival, since the start of a span, or since packets come as they play.
    private var lead: (least: MediaTime, most: MediaTime)?
    private var calm = CalmWatch()
    /// The time, in UTC, since which packets come as they play; nil if they do not.
    private var calmStart: MediaTime?
    /// The deepest fall of the span.
    private var fall = MediaTime.zero
    private var spanStart = MediaTime.zero
    /// The swing of the span before.
    private var previous = MediaTime.zero

    /// The span of several segments of any server; a rhythm learnt in one span is forgotten after the next.
    private static let span = MediaTime(seconds: 30)
    /// The most media in a burst; with more, timestamps have jumped.
    private static let mostLead = MediaTime(seconds: 60)
    /// The patience with a feed that is sent as it is made.
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
            return begin(at: now, arrival)
        }
        guard arrival - spanStart < Self.span else {
            previous = swing
            return begin(at: now, arrival)
        }
        let (least, most) = (min(lead.least, now), max(lead.most, now))
        fall = max(fall, most - now)
        guard calm.observe(now, at: arrival) else {
            (self.lead, calmStart) = ((least, most), nil)
            return
        }
        self.lead = (now, now)
        let start = calmStart ?? arrival
        calmStart = start
        if arrival - start >= Self.mostPatience { (fall, previous) = (.zero, .zero) }
    }

    private mutating func begin(at lead: MediaTime, _ arrival: MediaTime) {
        self.lead = (lead, lead)
        fall = .zero
        spanStart = arrival
    }

    private var swing: MediaTime { lead.map { max(fall, $0.most - $0.least) } ?? .zero }

    private static func isNear(_ time: MediaTime, _ other: MediaTime) -> Bool {
        MediaTime(ticks: time.ticks &- other.ticks) < mostLead && MediaTime(ticks: other.ticks &- time.ticks) < mostLead
    }
}
