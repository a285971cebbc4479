import Dispatch
package import Files
import Glibc
package import NIOCore
package import Presentation
import Synchronization

/// Keeps a directory equal to what the origin serves: the same bytes as files.
///
/// Each file appears whole or not at all, and no playlist names what is not there. Writing happens on a queue of its own,
/// so that neither a slow disk nor a full one holds up a live stream; what has expired meanwhile is never written. What
/// cannot be written is tried again. What a process before this one has left goes once it is replaced.
package final class DirectoryMirror: PublicationSink, BodyStore {
    private let directory: String
    private let waits: Bool
    private let keepsAll: Bool
    private let isReleased = Atomic(false)
    private let fileSystem: any FileSystem
    private let onEvent: @Sendable (MirrorEvent) -> Void
    private let queue = DispatchQueue(label: "mirror")
    private let plan: Mutex<MirrorPlan>
    private let state = Mutex(State())

    /// How long a write may take before it is worth a word, and how often what failed is tried again.
    private static let patience = Duration.seconds(10)
    private static let retryInterval = Duration.seconds(1)

    private struct State {
        var health = MirrorHealth()
        /// Since when the queue has been writing; nil while it is not.
        var startedAt: ContinuousClock.Instant?
        /// Whether there may have been changes since it asked for them.
        var isDue = false
        /// When something failed last.
        var failedAt: ContinuousClock.Instant?
    }

    /// - Parameters:
    ///   - directory: Made if it is not there.
    ///   - constants: Files beside what is published that never change, by name.
    ///   - waits: Whether writing holds up the caller (stored feeds) instead of coming later (live ones).
    ///   - keepsAll: Whether it holds the caller up until the disk has taken what it refuses, so that nothing is left out.
    ///   - fileSystem: Where the directory is.
    ///   - onEvent: Told of what an operator wants to know, on any thread.
    /// - Throws: ``FileError`` where the directory cannot be made, read or written to.
    package init(
        directory: String,
        constants: [String: ByteBuffer] = [:],
        waits: Bool,
        keepsAll: Bool = false,
        fileSystem: any FileSystem = LocalFileSystem.published,
        onEvent: @escaping @Sendable (MirrorEvent) -> Void
    ) throws(FileError) {
        self.directory = try fileSystem.claimDirectory(directory)
        self.waits = waits
        self.keepsAll = keepsAll
        self.fileSystem = fileSystem
        self.onEvent = onEvent
        for (name, bytes) in constants { try fileSystem.replace("\(self.directory)/\(name)", bytes) }
        plan = Mutex(try Self.leftovers(in: self.directory, fileSystem))
    }

    package var health: MirrorHealth { state.withLock { $0.health } }

    package func holds(_ path: String) -> Bool? { plan.withLockIfAvailable { $0.holds(path) } ?? nil }

    package func read(_ path: String, _ range: Range<Int>) throws(FileError) -> ByteBuffer {
        try fileSystem.read("\(directory)/\(path)", range)
    }

    /// Holds nobody up any more: what the disk refuses is left out.
    package func release() { isReleased.store(true, ordering: .relaxed) }

    package func mayHaveChanged(_ changes: @escaping @Sendable () -> [ResourceChange]) {
        let now = ContinuousClock.now
        if waits { queue.sync {} }
        waitForDisk()
        let startedAt = state.withLock { state in
            defer { state.startedAt = state.startedAt ?? now }
            state.isDue = state.startedAt != nil
            return state.startedAt
        }
        guard let startedAt else {
            return queue.async { repeat { self.run(changes) } while self.isDueAgain() }
        }
        if now - startedAt >= Self.patience {
            note(.late, reason: "nothing could be written for more than \(Self.patience.components.seconds) s")
        }
    }

    /// Returns once all that was changed before is written, where the disk lets it: a live stream's end does not wait for
    /// one that stands still.
    package func finish() {
        let done = DispatchSemaphore(value: 0)
        queue.async {
            self.state.withLock { $0.failedAt = nil }
            self.run { [] }
            done.signal()
        }
        _ = done.wait(timeout: waits ? .distantFuture : .now() + 5)
        waitForDisk()
    }

    /// Whether there is anything that could not be written.
    package var isIncomplete: Bool { queue.sync { plan.withLock(\.isBehind) } }

    /// Where nothing may be left out: returns once the disk has taken what it refused.
    private func waitForDisk() {
        guard keepsAll else { return }
        while state.withLock({ $0.failedAt != nil }), !isReleased.load(ordering: .relaxed) {
            // Nothing tells when a disk has room again.
            usleep(100_000)
            queue.sync { run { [] } }
        }
    }

    /// On the queue.
    private func run(_ changes: () -> [ResourceChange]) {
        let changes = changes()
        let outcome = plan.withLock { plan -> MirrorPlan.Outcome? in
            plan.take(changes)
            let failedAt = state.withLock { $0.failedAt }
            let mayRetry = failedAt.map { ContinuousClock.now - $0 >= Self.retryInterval } ?? true
            guard !changes.isEmpty || mayRetry && plan.isBehind else { return nil }
            return plan.pass(perform)
        }
        note(.late, reason: nil)
        guard let outcome else { return }
        state.withLock { $0.failedAt = outcome.problem.map { _ in .now } }
        note(.unwritten, reason: outcome.problem.map { "\($0)" })
        if let path = outcome.withdrawn.last {
            note(.withdrawn, reason: outcome.problem.map { "\($0)" } ?? path)
        } else if outcome.problem == nil {
            note(.withdrawn, reason: nil)
        }
    }

    /// Whether there may be more to do at once; if not, the queue is free.
    private func isDueAgain() -> Bool {
        state.withLock { state in
            defer { state.isDue = false }
            state.startedAt = state.isDue ? .now : nil
            return state.isDue
        }
    }

    private func perform(_ step: MirrorPlan.Step) throws(FileError) {
        switch step {
        case .write(let path, let bytes): try fileSystem.replace("\(directory)/\(path)", bytes)
        case .remove(let path): try fileSystem.remove("\(directory)/\(path)")
        }
        // It is a step that may stand still; many of them only take long.
        state.withLock { if $0.startedAt != nil { $0.startedAt = .now } }
    }

    private func note(_ problem: MirrorProblem, reason: String?) {
        if let event = state.withLock({ $0.health.noted(problem, reason: reason) }) { onEvent(event) }
    }

    /// What an earlier process has left: only what this program names so, and no one else.
    private static func leftovers(in directory: String, _ fileSystem: any FileSystem) throws(FileError) -> MirrorPlan {
        var files: Set<String> = []
        var playlists: [String: ByteBuffer] = [:]
        for name in try fileSystem.list(directory) {
            if PublishedPath.isRendition(name) {
                for file in try fileSystem.list("\(directory)/\(name)") {
                    let path = "\(name)/\(file)"
                    let whole = path.hasSuffix(LocalFileSystem.temporarySuffix) ? String(path.dropLast(4)) : path
                    if PublishedPath(whole) != nil { files.insert(path) }
                }
            } else if let kind = PublishedPath(name), kind == .mediaPlaylist || kind == .multivariantPlaylist {
                // One that cannot be read will be replaced or removed without regard for what it says.
                playlists[name] = (try? fileSystem.read("\(directory)/\(name)", limit: 1 << 26)) ?? ByteBuffer()
            }
        }
        return MirrorPlan(files: files, playlists: playlists)
    }
}
