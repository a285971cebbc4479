/// The outcome of an upgrade for a feed and the encoder that sends it.
enum FeedOutcome: Hashable, Sendable {
    /// The encoder's connection continues in the other process.
    case handedOver
    /// Both processes can read the feed for a moment, and the new one continues at its next byte.
    case continues
    /// The other process opens it once more.
    case openedAnew
    /// The other process reads the file from its beginning.
    case beginsAnew
    /// The encoder has to connect again.
    case cutOff
    /// The feed waits for an encoder, and none is connected.
    case unconnected
}
