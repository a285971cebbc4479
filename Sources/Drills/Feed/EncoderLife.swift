import MediaCore

/// The time from an encoder's start to its death.
struct EncoderLife: Hashable, Sendable {
    var start: MediaTime
    /// The time of its death; nil if it does not die.
    var end: MediaTime?
    /// The timeline that it counts on.
    var base: Base

    enum Base: Hashable, Sendable {
        /// The feed's.
        case common
        /// Timestamps start with this value.
        case timestamp(Int64)
    }

    /// The lives that a schedule leaves to an encoder that starts at `start`.
    ///
    /// - Parameters:
    ///   - schedule: Its outages that begin before `start` are over by then.
    ///   - start: Since the start of the drill.
    ///   - chance: Makes the timestamps that come from nowhere.
    /// - Returns: In order; the last one may have no end.
    static func lives(in schedule: FeedSchedule, from start: MediaTime, chance: inout SplitMix64) -> [EncoderLife] {
        var lives = [EncoderLife(start: start, base: .common)]
        for outage in schedule.faults where outage.isOutage && outage.start >= start {
            lives[lives.count - 1].end = outage.start
            guard let end = outage.end else { break }
            let base: Base =
                outage.fault == .restart
                ? .timestamp(Int64.random(in: 0..<Timestamps.transportStreamModulus, using: &chance)) : .common
            lives.append(EncoderLife(start: end, base: base))
        }
        return lives
    }
}
