/// The way to the answer to a request.
package enum Reply: Sendable {
    case answer(Answer)
    /// An answer that takes its time to make: not on an event loop.
    case work(@Sendable () -> Answer)
    /// An answer that waits for a disk, perhaps for long: it must hold up no other work.
    case reading(@Sendable () -> Answer)
    /// An answer that others give, who may be slow: nothing waits for it but its connection.
    case pending(@Sendable () async -> Answer)
    /// The same question is to be asked again later.
    case waiting(Waiting)
}

/// A wait, after which a request is asked for its verdict again.
package struct Waiting: Sendable {
    /// Begins the wait.
    ///
    /// It takes what to call once, from any thread, when the wait is over, and returns what ends the wait before that; nil
    /// where there is no waiting.
    package typealias Begin = @Sendable (_ isOver: @escaping @Sendable () -> Void) -> (@Sendable () -> Void)?

    /// The answer where it takes too long.
    package var refusal: Answer
    /// The longest wait.
    var patience: Duration
    var begin: Begin

    package init(refusal: Answer, patience: Duration, begin: @escaping Begin) {
        self.refusal = refusal
        self.patience = patience
        self.begin = begin
    }
}
