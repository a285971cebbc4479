package import NIOCore

/// The way to the answer to a request.
package enum Reply: Sendable {
    case answer(Answer)
    /// An answer that takes its time to make: not on an event loop.
    case work(@Sendable () -> Answer)
    /// An answer that waits for a disk, perhaps for long: it must hold up no other work.
    ///
    /// The answer is ``Responder/busy`` where too many wait for these readers already.
    case reading(on: Readers = .live, @Sendable () -> Answer)
    /// An answer that others give, who may be slow: nothing waits for it but its connection.
    case pending(@Sendable () async -> Answer)
    /// A reply that depends on what others give, who may be slow, such as one that reads a disk after that.
    case asking(@Sendable () async -> Reply)
    /// An answer that depends on something that has not happened yet.
    case waiting(Waiting)
}

/// A wait, after which the reply to a request is found.
///
/// Many requests may wait at once: a wait costs no task, no timer and no thread.
package struct Waiting: Sendable {
    /// Begins the wait.
    ///
    /// It takes what to call once on that event loop when the wait is over, however it ends, but not before this
    /// returns. It returns what ends the wait before that; nil if there is no room for it.
    package typealias Begin =
        @Sendable (
            _ eventLoop: any EventLoop,
            _ isOver: @escaping @Sendable () -> Void
        ) -> (@Sendable () -> Void)?

    package let begin: Begin
    /// Finds the reply once the wait is over, or cannot go on.
    package let reply: @Sendable () -> Reply

    package init(begin: @escaping Begin, reply: @escaping @Sendable () -> Reply) {
        (self.begin, self.reply) = (begin, reply)
    }
}
