/// The time at which a packet is presented, as the feed itself says it.
package enum SignalledTime: Hashable, Sendable {
    /// A label of the picture, exact to the frame.
    case timecode(Timecode)
    /// UTC as the producer's clock had it, exact to some milliseconds.
    case producerReference(MediaTime)
}
