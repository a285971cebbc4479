import Dispatch
package import Files
package import NIOCore
package import Presentation
import Synchronization

/// Keeps a directory of the content keys that players may have now, a file each, as an origin would give them out.
///
/// A key is there one crypto period before anything needs it, and goes when nothing does any more. What cannot be written is
/// tried again whenever something is published.
package final class KeyFiles: PublicationSink {
    /// What there is by now, by the names that playlists call it by.
    package typealias Source = @Sendable () throws -> [String: ByteBuffer]

    private let directory: String
    private let waits: Bool
    private let fileSystem: any FileSystem
    private let onEvent: @Sendable (MirrorEvent) -> Void
    private let queue = DispatchQueue(label: "keys")
    private let state: Mutex<State>

    private struct State {
        var source: Source = { [:] }
        var present: Set<String>
        var health = MirrorHealth()
        /// Whether the queue will look at what has changed.
        var isDue = false
    }

    /// - Parameters:
    ///   - directory: Made if it is not there, for its owner alone.
    ///   - waits: Whether writing holds up the caller (stored feeds) instead of coming later (live ones).
    ///   - fileSystem: Where the directory is.
    ///   - onEvent: Told of what an operator wants to know, on any thread.
    /// - Throws: ``FileError`` where the directory cannot be made, read or written to.
    package init(
        directory: String,
        waits: Bool,
        fileSystem: any FileSystem = LocalFileSystem.confidential,
        onEvent: @escaping @Sendable (MirrorEvent) -> Void
    ) throws(FileError) {
        self.directory = try fileSystem.claimDirectory(directory)
        self.waits = waits
        self.fileSystem = fileSystem
        self.onEvent = onEvent
        // Of an earlier process: only what this program names so.
        state = Mutex(State(present: Set(try fileSystem.list(self.directory).filter(Self.isKey))))
    }

    package var health: MirrorHealth { state.withLock { $0.health } }

    /// Says where keys are to be had.
    package func take(from source: @escaping Source) { state.withLock { $0.source = source } }

    package func mayHaveChanged(_ changes: @escaping @Sendable () -> [ResourceChange]) {
        // What is published says by itself which keys it needs.
        if changes().isEmpty { return }
        update()
    }

    /// Returns once all that players may have is written, where the disk lets it.
    package func finish() {
        update()
        queue.sync {}
    }

    private func update() {
        let isFirst = state.withLock { state in
            defer { state.isDue = true }
            return !state.isDue
        }
        if isFirst { queue.async { self.write() } }
        if waits { queue.sync {} }
    }

    /// On the queue.
    private func write() {
        let (source, present) = state.withLock { state in
            state.isDue = false
            return (state.source, state.present)
        }
        do {
            let keys = try source()
            // While nothing is published there is nothing to go by.
            if keys.isEmpty { return }
            for (name, bytes) in keys.sorted(by: { $0.key < $1.key }) where !present.contains(name) {
                try fileSystem.replace("\(directory)/\(name)", bytes)
                state.withLock { _ = $0.present.insert(name) }
            }
            for name in present.subtracting(keys.keys).sorted() {
                try fileSystem.remove("\(directory)/\(name)")
                state.withLock { _ = $0.present.remove(name) }
            }
            note(nil)
        } catch {
            note("\(error)")
        }
    }

    private func note(_ reason: String?) {
        if let event = state.withLock({ $0.health.noted(.keyUnwritten, reason: reason) }) { onEvent(event) }
    }

    /// Whether a file is called as a key ID is.
    private static func isKey(_ name: String) -> Bool {
        name.utf8.count == 32 && name.allSatisfy { $0.isHexDigit && !$0.isUppercase }
    }
}
