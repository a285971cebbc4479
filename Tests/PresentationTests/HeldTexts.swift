import Presentation
import Synchronization

/// Keeps what is to be made until a test says so.
final class HeldTexts: Sendable {
    private let work = Mutex<[@Sendable () -> Void]>([])

    var executor: TextExecutor { TextExecutor { work in self.work.withLock { $0.append(work) } } }

    var count: Int { work.withLock { $0.count } }

    /// Does what was to be done first, second and so on, if it has not been done.
    func release(_ index: Int = 0) { work.withLock { $0.remove(at: index) }() }
}
