/// What becomes of a feed, and of an encoder that sends it, when another process takes the place of this one.
enum FeedFate: Hashable, Sendable {
    /// The connection of its encoder goes on in the other process.
    case handedOver
    /// Both processes can read it for a moment, and the other one goes on at its next byte.
    case goesOn
    /// The other process opens it once more.
    case openedAnew
    /// It is a file, which the other process reads from its beginning.
    case beginsAnew
    /// Its encoder has to connect again.
    case cutOff
}
