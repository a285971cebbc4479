/// Where the UTC of a sample comes from.
package enum ClockSource: String, Sendable, CaseIterable {
    /// The moment it arrived: anchored once, then advanced by media time.
    case arrival
    /// Its presentation timestamp, which is UTC in 90 kHz ticks modulo 2^33: the same on every machine.
    case pts
    /// Timecode or a producer reference time that its packets carry; arrival where there is none to be believed.
    case timecode
}

/// How an input's packets relate to the wall clock.
package enum InputPace: Sendable {
    /// They come as they are made; late is late.
    case live
    /// They are read from storage no faster than they play.
    case paced
    /// They are read as fast as they can be; the wall clock says nothing about them.
    case stored
}
