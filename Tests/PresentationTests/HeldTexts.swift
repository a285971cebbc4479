import Presentation
import Synchronization

/// Keeps work until a test releases it.
final class HeldTexts: Sendable {
    private let work = Mutex<[@Sendable () -> Void]>([])

    var executor: TextExecutor { TextExecutor { work in self.work.withLock { $0.append(work) } } }

    var count: Int { work.withLock { $0.count } }

    /// Carries out the first work, the second and so on, if it has not been carried out.
    func release(_ index: Int = 0) { work.withLock { $0.remove(at: index) }() }
}
