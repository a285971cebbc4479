package import MediaCore

/// Tells when a feed comes as it plays: neither faster, as in a burst, nor with pauses, as one that is fetched in segments.
package struct CalmWatch: Sendable {
    /// The time for which it has to be calm.
    private static let span = MediaTime(seconds: 1)
    /// Smaller differences are jitter.
    private static let jitter = MediaTime(milliseconds: 500)

    private var start: (lead: MediaTime, at: MediaTime)?
    private var newest = MediaTime.zero

    package init() {}

    /// Notes an arrival.
    ///
    /// - Parameters:
    ///   - lead: Its lead over a clock that runs in UTC, from any origin.
    ///   - arrival: UTC.
    /// - Returns: True if packets have come at the speed of playback for a second.
    package mutating func observe(_ lead: MediaTime, at arrival: MediaTime) -> Bool {
        let pause = arrival - newest
        newest = arrival
        guard let start, pause <= Self.jitter, Self.isNear(lead, start.lead) else {
            start = (lead, arrival)
            return false
        }
        return arrival - start.at >= Self.span
    }

    private static func isNear(_ lead: MediaTime, _ other: MediaTime) -> Bool {
        let distance = lead.ticks &- other.ticks
        return (-jitter.ticks...jitter.ticks).contains(distance)
    }
}
