/// The relation of an input's packets to the wall clock.
package enum InputPace: Sendable {
    /// Packets arrive in real time, and late ones are late.
    case live
    /// Packets are read from storage no faster than they play.
    case paced
    /// Packets are read as fast as possible; the wall clock does not apply to them.
    case stored
}
