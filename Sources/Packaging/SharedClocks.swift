import Synchronization
import Timeline

/// The clocks of several inputs, each read on a thread of its own.
///
/// Its lock is taken while an input's state is held, and nothing else is taken while it is.
final class SharedClocks: Sendable {
    private let clocks = Mutex(ArrivalClocks())

    func withLock<Result>(_ body: (inout ArrivalClocks) -> Result) -> Result {
        clocks.withLock { body(&$0) }
    }
}
