/// The source of a sample's UTC.
package enum ClockSource: String, Hashable, Sendable, CaseIterable {
    /// The moment it arrived: anchored once, then advanced by media time.
    case arrival
    /// The presentation timestamp, which is UTC in 90 kHz ticks modulo 2^33: the same on every machine.
    case pts
    /// Timecode or a producer reference time in its packets; arrival if there is none that is credible.
    case timecode
}
