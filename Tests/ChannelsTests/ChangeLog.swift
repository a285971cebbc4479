import Presentation
import Synchronization

/// Says what has become of each path since it was last asked.
final class ChangeLog: PublicationSink {
    private let changes = Mutex<(@Sendable () -> [ResourceChange])?>(nil)

    func mayHaveChanged(_ changes: @escaping @Sendable () -> [ResourceChange]) {
        self.changes.withLock { $0 = changes }
    }

    func take() -> [ResourceChange] { changes.withLock { $0 }?() ?? [] }
}
