/// Takes what a channel publishes: to keep it for a later process, to have it elsewhere, or to look at it.
///
/// A consumer gets publications in their order and never waits for another one. It makes its own copy of what it wants to keep.
package protocol PublicationConsumer: AnyObject, Sendable {
    /// One word, unique in a channel.
    var name: String { get }
    var policy: ConsumerPolicy { get }
    /// The publications that it gets; the others are left out.
    var interest: Publication.Kinds { get }

    /// Takes all that has come since it was called last, oldest first.
    ///
    /// It is called under no lock and by one thread at a time, but for parts where it observes: these come on the thread
    /// of their rendition.
    ///
    /// - Parameter batch: Empty where the time has come to try again.
    /// - Returns: If there is something to be tried again.
    func take(_ batch: [Publication]) -> ConsumerResult

    /// Hears how it keeps up with each slot, on the thread that publishes: it may not wait.
    func keepsUp(_ pace: ConsumerPace)
}

extension PublicationConsumer {
    package func keepsUp(_ pace: ConsumerPace) {}
}

/// When a consumer gets what is published, and what becomes of the stream when it is slow.
package enum ConsumerPolicy: Hashable, Sendable {
    /// A slot is handed to it before a viewer can see it, and waits until it is taken; no longer than this, with all others
    /// that precede. Parts do not wait.
    case precedes(within: Duration)
    /// It gets publications once viewers have them, on the thread that publishes. It works in memory and never waits.
    case observes
    /// It gets publications once viewers have them, on a thread of its own. Beyond so many it misses some, and gets a
    /// ``Publication/window(_:)`` in their place.
    case follows(backlog: Int)
    /// As one that follows, of a stored feed: a slot waits until it is done with all that was published before.
    case paces
}

/// What came of publications that a consumer has taken.
package enum ConsumerResult: Hashable, Sendable {
    case done
    /// Some of it failed: it is called with an empty batch, unless something is published before.
    case again(after: Duration)
    /// As ``again(after:)``; a stored feed that it paces waits until it is done.
    case blocked(retryAfter: Duration)
}

/// How a consumer keeps up with a slot.
package enum ConsumerPace: Hashable, Sendable {
    /// It is done with all slots before, and where it precedes viewers, with this one.
    case inTime
    case late
    /// It has no room for the slot, and gets a ``Publication/window(_:)`` in place of it.
    case missed
}
