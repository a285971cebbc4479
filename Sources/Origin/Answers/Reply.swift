package import Presentation

/// What a request gets.
package enum Reply: Sendable {
    case answer(Answer)
    /// An answer that takes its time to make: not on an event loop.
    case work(@Sendable () -> Answer)
    /// An answer that waits for a disk, perhaps for long: it must hold up no other work.
    case reading(@Sendable () -> Answer)
    /// An answer that others give, who may be slow: nothing waits for it but its connection.
    case pending(@Sendable () async -> Answer)
    /// The same question is to be asked again once the channel has begun; this is the answer to whom that takes too long.
    case waiting(for: Presentation, Answer)
}
