/// The clock of a feed's timestamps.
enum FeedClock: Hashable, Sendable {
    /// A picture's presentation timestamp is its UTC, in 90 kHz ticks modulo 2^33, and the picture depends on it.
    case utc
    /// The first picture of the drill has this presentation timestamp, in 90 kHz ticks.
    case starting(at: Int64)
}
