/// What a feed itself says of when one of its packets is presented.
package enum SignalledTime: Hashable, Sendable {
    /// A label of the picture, exact to the frame.
    case timecode(Timecode)
    /// UTC as the producer's clock had it, exact to some milliseconds.
    case producerReference(MediaTime)
}
