/// Takes the publications of a channel: to keep them for a later process, to copy them elsewhere, or to watch them.
///
/// A consumer gets publications in their order and never waits for another one. It makes its own copy of the bytes that
/// it keeps.
package protocol PublicationConsumer: AnyObject, Sendable {
    /// The consumer's name: one word, unique in a channel.
    var name: String { get }
    /// The time at which it gets publications, and the effect on the stream when it is slow.
    var policy: ConsumerPolicy { get }
    /// The publications that it gets; the others are left out.
    var interest: Publication.Kinds { get }

    /// Takes all publications since the last call, oldest first.
    ///
    /// The call is made without a lock, by one thread at a time. The exception is a consumer that observes, which gets
    /// parts on the thread of their rendition.
    ///
    /// - Parameter batch: The publications; empty if the time has come to try again.
    /// - Returns: The outcome, including a wish to try again.
    func take(_ batch: [Publication]) -> ConsumerResult

    /// Called with the consumer's pace after each slot, on the thread that publishes: it may not wait.
    func keepsUp(_ pace: ConsumerPace)
}

extension PublicationConsumer {
    package func keepsUp(_ pace: ConsumerPace) {}
}

/// The time at which a consumer gets publications, and the effect on the stream when it is slow.
package enum ConsumerPolicy: Hashable, Sendable {
    /// A slot is handed to it before a viewer can see it, and waits until it is taken; no longer than this, together
    /// with all others that precede. A part waits for a sixteenth of its duration, and a slot that was told in
    /// parts for half a part at most.
    case precedes(within: Duration)
    /// A consumer that gets publications once viewers have them, on the thread that publishes. It works in memory and
    /// never waits.
    case observes
    /// A consumer that gets publications once viewers have them, on a thread of its own. Beyond so many it misses
    /// publications, and gets a ``Publication/window(_:)`` in their place.
    case follows(backlog: Int)
    /// A consumer that gets publications as one that follows does. A slot of a stored feed waits until it is done with
    /// all publications before.
    case paces
}

/// The outcome of a batch that a consumer has taken.
package enum ConsumerResult: Hashable, Sendable {
    case done
    /// Some work failed, or can wait: the consumer is called with an empty batch, unless something is published before.
    case again(after: Duration)
    /// Like ``again(after:)``; a stored feed that the consumer paces waits until the work is done.
    case blocked(retryAfter: Duration)
}

/// The pace of a consumer at one slot.
package enum ConsumerPace: Hashable, Sendable {
    /// The consumer has handled all slots before, and this one as well if it precedes viewers.
    case inTime
    case late
    /// The consumer has no room for the slot, and gets a ``Publication/window(_:)`` in place of it.
    case missed
}
