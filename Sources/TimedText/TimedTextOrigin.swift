package import MediaCore

/// The origin of a document's times.
package enum TimedTextOrigin: Hashable, Sendable {
    /// A point of UTC.
    case utc(MediaTime)
    /// Midnight of UTC: times are times of day, of that day on which they are nearest to now.
    case midnight

    private static let day = MediaTime(seconds: 86_400)

    /// A cue with its times in UTC.
    ///
    /// - Parameters:
    ///   - cue: As its document has it.
    ///   - now: UTC.
    /// - Returns: The same cue.
    package func utc(_ cue: TimedCue, now: MediaTime) -> TimedCue {
        let origin: MediaTime
        switch self {
        case .utc(let time): origin = time
        case .midnight:
            let distance = (now - cue.start).ticks + Self.day.ticks / 2
            let days = distance.flooredQuotientAndRemainder(dividingBy: Self.day.ticks).quotient
            origin = Self.day * days
        }
        return TimedCue(start: cue.start + origin, end: cue.end + origin, content: cue.content)
    }
}

extension TimedTextOrigin: CustomStringConvertible {
    package var description: String {
        switch self {
        case .utc(let time): time.iso8601
        case .midnight: "midnight"
        }
    }
}
