package import Files
package import NIOCore
package import Presentation
import Synchronization

/// Keeps a directory of the content keys that players may have now, a file each, as an origin would give them out.
///
/// A key is written one crypto period before a segment needs it, and removed when no segment does any more. Failed
/// writes are tried again.
package final class KeyFiles: PublicationConsumer {
    /// The keys that players may have by now.
    package struct Keys: Sendable {
        /// The keys by the names that playlists have for them.
        package var bytes: [String: ByteBuffer]
        /// False if more keys are needed, which are not known yet.
        package var isWhole: Bool

        package init(_ bytes: [String: ByteBuffer] = [:], isWhole: Bool = true) {
            (self.bytes, self.isWhole) = (bytes, isWhole)
        }
    }

    package typealias Source = @Sendable () throws -> Keys

    package let name = "output-keys"
    package let policy: ConsumerPolicy
    package let interest: Publication.Kinds = [.window, .slots, .playlists, .expired]
    private let directory: String
    private let fileSystem: any FileSystem
    private let onEvent: @Sendable (MirrorEvent) -> Void
    private let state: Mutex<State>

    /// Publications that a disk which stands still keeps in memory.
    private static let backlog = 32
    private static let retryInterval = Duration.seconds(1)

    private struct State {
        var source: Source = { Keys() }
        var present: Set<String>
        var health = MirrorHealth()
    }

    /// - Parameters:
    ///   - directory: The directory; if it does not exist, it is made with access for its owner alone.
    ///   - waits: True if writing holds up the stream (stored feeds) instead of coming later (live ones).
    ///   - fileSystem: The file system that the directory is in.
    ///   - onEvent: Called with events for the operator, on any thread.
    /// - Throws: ``FileError`` if the directory cannot be made, read or written to.
    package init(
        directory: String,
        waits: Bool,
        fileSystem: any FileSystem = LocalFileSystem.confidential,
        onEvent: @escaping @Sendable (MirrorEvent) -> Void
    ) throws(FileError) {
        self.directory = try fileSystem.claimDirectory(directory)
        policy = waits ? .paces : .follows(backlog: Self.backlog)
        self.fileSystem = fileSystem
        self.onEvent = onEvent
        // Files of an earlier process, as far as their names are those of keys.
        state = Mutex(State(present: Set(try fileSystem.list(self.directory).filter(Self.isKey))))
    }

    package var health: MirrorHealth { state.withLock { $0.health } }

    /// Sets the source of keys.
    package func take(from source: @escaping Source) { state.withLock { $0.source = source } }

    package func take(_ batch: [Publication]) -> ConsumerResult {
        let (source, present) = state.withLock { ($0.source, $0.present) }
        do {
            let keys = try source()
            // Before the first publication it is not known which keys are needed.
            if keys.bytes.isEmpty { return .done }
            for (name, bytes) in keys.bytes.sorted(by: { $0.key < $1.key }) where !present.contains(name) {
                try fileSystem.replace("\(directory)/\(name)", bytes)
                state.withLock { _ = $0.present.insert(name) }
            }
            // After a restart, files of the process before may be all that there is of a key.
            let needless = keys.isWhole ? present.subtracting(keys.bytes.keys) : []
            for name in needless.sorted() {
                try fileSystem.remove("\(directory)/\(name)")
                state.withLock { _ = $0.present.remove(name) }
            }
            note(nil)
            return .done
        } catch {
            note("\(error)")
            return .again(after: Self.retryInterval)
        }
    }

    private func note(_ reason: String?) {
        if let event = state.withLock({ $0.health.noted(.keyUnwritten, reason: reason) }) { onEvent(event) }
    }

    /// Returns true if a file has the name of a key ID.
    private static func isKey(_ name: String) -> Bool {
        name.utf8.count == 32 && name.allSatisfy { $0.isHexDigit && !$0.isUppercase }
    }
}
