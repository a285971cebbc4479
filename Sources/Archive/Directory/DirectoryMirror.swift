package import Files
package import NIOCore
package import Presentation
import Synchronization

/// Keeps a directory equal to the origin: every served resource is a file with the same bytes.
///
/// Playlists only name existing files. Files appear whole, except the segments of a job, which are written in place
/// before a playlist names them. A slow or full disk does not delay a live stream; segments that expire before they are
/// written are skipped. Failed writes are tried again. Files of an earlier process are removed once they are replaced.
package final class DirectoryMirror: PublicationConsumer, BodyStore {
    package let name = "output"
    package let policy: ConsumerPolicy
    package let interest: Publication.Kinds = [.window, .slots, .playlists, .expired, .ended]
    private let directory: String
    private let keepsAll: Bool
    private let isFollowed: Bool
    private let clock: @Sendable () -> ContinuousClock.Instant
    private let keys: KeyFiles?
    private let isReleased = Atomic(false)
    private let fileSystem: any FileSystem
    private let onEvent: @Sendable (MirrorEvent) -> Void
    private let plan: Mutex<MirrorPlan>
    private let state = Mutex(State())

    /// The time after which a write is reported as late.
    private static let patience = Duration.seconds(10)
    /// The time after which a failed write is tried again.
    private static let retryInterval = Duration.seconds(1)
    /// The interval while a feed waits: the system does not report when a disk has room again.
    private static let blockedRetryInterval = Duration.milliseconds(100)
    /// The longest time between two versions of playlists without readers.
    ///
    /// Expired segments are removed with the next playlists. More of them at a time would push the memory in which the
    /// disk's pages lie out of the processor's cache, at a higher cost than the playlists.
    private static let listingInterval = Duration.seconds(1)
    /// The most slots that such playlists omit.
    private static let mostUnlistedSlots = 4
    /// Publications that a disk which stands still keeps in memory: those of some ten slots.
    private static let backlog = 32

    private struct State {
        var health = MirrorHealth()
        /// The time since which a step has been under way; nil while none is.
        var startedAt: ContinuousClock.Instant?
        /// The time at which playlists and keys were last written.
        var listedAt: ContinuousClock.Instant?
        /// The slots since then.
        var unlistedSlots = 0
        var isEnded = false
        /// The files of a job that were sent to viewers: a network may still have to send their bytes.
        var sent: Set<String> = []
    }

    /// - Parameters:
    ///   - directory: The directory, which is made if it does not exist.
    ///   - constants: Further files that never change, by name.
    ///   - waits: True if writing holds up the stream (stored feeds) instead of coming later (live ones).
    ///   - keepsAll: True if a failed write holds up the stream until it succeeds, so that all files are written.
    ///   - isFollowed: True if players follow its playlists. Those of a job are written with every fourth slot, once
    ///     a second, and at its end; its segments are written where they stay.
    ///   - keys: Files of keys, which are written before the playlists that name them; nil if there are none.
    ///   - fileSystem: The file system that the directory is in.
    ///   - clock: The time.
    ///   - onEvent: Called with events for the operator, on any thread.
    /// - Throws: ``FileError`` if the directory cannot be made, read or written to.
    package init(
        directory: String,
        constants: [String: ByteBuffer] = [:],
        waits: Bool,
        keepsAll: Bool = false,
        isFollowed: Bool = true,
        keys: KeyFiles? = nil,
        fileSystem: any FileSystem = LocalFileSystem.published,
        clock: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        onEvent: @escaping @Sendable (MirrorEvent) -> Void
    ) throws(FileError) {
        self.directory = try fileSystem.claimDirectory(directory)
        policy = waits ? .paces : .follows(backlog: Self.backlog)
        self.keepsAll = keepsAll
        self.isFollowed = isFollowed
        self.keys = keys
        self.fileSystem = fileSystem
        self.clock = clock
        self.onEvent = onEvent
        for (name, bytes) in constants { try fileSystem.replace("\(self.directory)/\(name)", bytes) }
        plan = Mutex(MirrorPlan(try MirrorLeftovers(in: self.directory, fileSystem), reusesFiles: !isFollowed))
    }

    package var health: MirrorHealth { state.withLock { $0.health } }

    package func holds(_ path: String) -> Bool? { plan.withLockIfAvailable { $0.holds(path) } ?? nil }

    package func read(_ path: String, _ range: Range<Int>) throws(FileError) -> ByteBuffer {
        try fileSystem.read("\(directory)/\(path)", range)
    }

    package func place(of range: Range<Int>, in path: String) -> FilePlace? {
        if !isFollowed { state.withLock { _ = $0.sent.insert(path) } }
        return fileSystem.place(of: range, in: "\(directory)/\(path)")
    }

    /// Stops blocking: data that the disk refuses is left out.
    package func release() { isReleased.store(true, ordering: .relaxed) }

    /// True if anything could not be written.
    package var isIncomplete: Bool { plan.withLock(\.isBehind) }

    package func take(_ batch: [Publication]) -> ConsumerResult {
        let lists = lists(with: batch)
        let isLast = state.withLock { state in
            state.startedAt = .now
            return state.isEnded || batch.isEmpty
        }
        // Playlists that stay as they are need the keys that they name.
        let ofKeys = lists ? keys?.take(batch) ?? .done : .done
        let outcome = plan.withLock { plan in
            for publication in batch { plan.take(publication) }
            return plan.pass(lists: lists, isLast: isLast, perform)
        }
        state.withLock { $0.startedAt = nil }
        note(.late, reason: nil)
        note(.unwritten, reason: outcome.problem.map { "\($0)" })
        if let path = outcome.withdrawn.last {
            note(.withdrawn, reason: outcome.problem.map { "\($0)" } ?? path)
        } else if outcome.problem == nil, lists {
            note(.withdrawn, reason: nil)
        }
        if outcome.problem == nil { return lists ? ofKeys : .again(after: Self.listingInterval) }
        return keepsAll && !isReleased.load(ordering: .relaxed)
            ? .blocked(retryAfter: Self.blockedRetryInterval) : .again(after: Self.retryInterval)
    }

    package func keepsUp(_ pace: ConsumerPace) {
        guard pace != .inTime, let startedAt = state.withLock({ $0.startedAt }), .now - startedAt >= Self.patience
        else {
            return
        }
        note(.late, reason: "nothing could be written for more than \(Self.patience.components.seconds) s")
    }

    /// Decides if playlists and keys have their turn with a batch: a retry, and the end, leave nothing for later.
    private func lists(with batch: [Publication]) -> Bool {
        let now = clock()
        return state.withLock { state in
            if batch.contains(where: { $0.kind == .ended }) { state.isEnded = true }
            let count = batch.count { $0.kind == .playlists }
            state.unlistedSlots += count
            let isSoon = state.listedAt.map { now - $0 < Self.listingInterval } ?? false
            let isDue = count > 0 && (!isSoon || state.unlistedSlots >= Self.mostUnlistedSlots)
            if !isDue, !isFollowed, !state.isEnded, !batch.isEmpty { return false }
            (state.listedAt, state.unlistedSlots) = (now, 0)
            return true
        }
    }

    private func perform(_ step: MirrorPlan.Step) throws(FileError) {
        switch step {
        case .create(let path, let bytes, let old?) where !wasSent(old):
            try fileSystem.create("\(directory)/\(path)", bytes, inPlaceOf: "\(directory)/\(old)")
        case .create(let path, let bytes, let old?):
            try perform(.remove(path: old))
            try perform(.create(path: path, bytes, inPlaceOf: nil))
        // Names are easily guessed: neither viewers nor caches must get half a segment.
        case .create(let path, let bytes, nil) where !isFollowed: try fileSystem.create("\(directory)/\(path)", bytes)
        case .create(let path, let bytes, nil), .replace(let path, let bytes):
            try fileSystem.replace("\(directory)/\(path)", bytes)
        case .remove(let path):
            try fileSystem.remove("\(directory)/\(path)")
            state.withLock { _ = $0.sent.remove(path) }
        }
        // One step may stand still; many steps only take long.
        state.withLock { $0.startedAt = .now }
    }

    private func wasSent(_ path: String) -> Bool { state.withLock { $0.sent.contains(path) } }

    private func note(_ problem: MirrorProblem, reason: String?) {
        if let event = state.withLock({ $0.health.noted(problem, reason: reason) }) { onEvent(event) }
    }
}
