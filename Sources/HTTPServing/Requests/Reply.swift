package import NIOCore

/// The way to the answer to a request.
package enum Reply: Sendable {
    case answer(Answer)
    /// An answer that takes its time to make: not on an event loop.
    case work(@Sendable () -> Answer)
    /// An answer that waits for a disk, without blocking other work.
    ///
    /// The answer is ``Responder/busy`` if too many requests already wait for these readers.
    case reading(on: Readers = .live, @Sendable () -> Answer)
    /// An answer of another component, which may be slow: only its connection waits for it.
    case pending(@Sendable () async -> Answer)
    /// A reply that depends on another component, which may be slow; it may then read a disk.
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
    /// The function takes a callback, which is called once on that event loop at the end of the wait, but not before
    /// the function returns. It returns a function that ends the wait early; nil if too many requests wait.
    package typealias Begin =
        @Sendable (
            _ eventLoop: any EventLoop,
            _ isOver: @escaping @Sendable () -> Void
        ) -> (@Sendable () -> Void)?

    package let begin: Begin
    /// Finds the reply once the wait is over, or cannot continue.
    package let reply: @Sendable () -> Reply

    package init(begin: @escaping Begin, reply: @escaping @Sendable () -> Reply) {
        (self.begin, self.reply) = (begin, reply)
    }
}
