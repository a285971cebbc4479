/// A fault of an input for a part of a minute.
enum SoakFault: String, CaseIterable {
    /// The connection breaks; when it is over the encoder continues as if nothing had been.
    case killed
    /// The connection breaks; when it is over timestamps begin anew, and the container numbers its tracks otherwise.
    case restarted
    /// Nothing arrives, and nobody says so.
    case cablePulled
    /// The same picture and the same audio again and again.
    case frozen
    /// Some packets never come, and nobody says so.
    case loss
    /// Some packets are damaged on the way, and marked so.
    case damage
    case reordering
    case duplication
    /// Nothing arrives, and then everything at once.
    case stall
    /// Every packet is late by its own chance.
    case jitter
    case jumpForwards
    case jumpBack
    /// Timestamps run fast by 100 ppm.
    case drift
    case configurationChange
    case audioLost
    case videoLost
    /// Bytes of no codec among the packets.
    case garbage
    /// Some packets have no timestamp.
    case untimed

    /// The inputs that a fault hits.
    enum Victims: CaseIterable {
        case input, backup, both
    }
}
