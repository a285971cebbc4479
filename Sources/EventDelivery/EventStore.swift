import Dispatch
import Files
package import MediaCore
package import Operations
import Synchronization

/// Keeps events below the state directory, for longer than memory and the process.
///
/// It follows the log as any reader does, and writes new events in batches, on a queue of its own: the code that
/// reports an event never waits for a disk. An event that cannot be written stays in memory, is tried again, and counts
/// as lost only once memory has dropped it.
package final class EventStore: EventArchive {
    /// The name of the file in the state directory.
    package static let fileName = "events.sqlite"

    let patience: Duration
    let handover: Duration
    private let now: @Sendable () -> MediaTime
    let onNews: @Sendable (EventStoreEvent) -> Void
    /// The queue of all work that waits for the disk, except pages.
    let queue = DispatchQueue(label: "events", qos: .utility)
    let state: Mutex<State>

    struct State {
        /// The state directory; nil while there is none.
        var directory: String?
        /// The former directory, whose events are still to be copied; nil if there is none.
        var former: String?
        /// The open database; nil while it cannot be used.
        var database: EventDatabase?
        /// The lock that keeps other processes from writing.
        var lock: (any AnyObject & Sendable)?
        /// True if another process had the directory at the last try, or its events are still to be copied.
        var isTaken = false
        var problem: String?
        /// The time since which it has the problem; and true if that was reported.
        var problemBegan = ContinuousClock.now
        var isProblemReported = false
        var retention: EventRetention
        /// The number of the newest event that is stored, or that memory had dropped before.
        var position: Int?
        /// True if the database is new in the place of another one.
        var isAnew = false
        var unkept = 0
        var byteCount = 0
        /// True while events that the log already has are being written.
        var isCatchingUp = false
        /// Pages that are being looked for.
        var reads = 0
    }

    /// Events that are removed at once.
    private static let removal = 2000
    /// The time for which events are gathered that come together.
    private static let gathering = Duration.milliseconds(100)
    /// The interval at which a failed write is tried again.
    private static let heartbeat = Duration.seconds(5)
    /// The time that a process before this one may take: its viewers have a minute for their last answers.
    package static let handover = Duration.seconds(90)
    /// The interval at which old events are removed.
    private static let trimInterval = Duration.seconds(60)
    /// Pages that may be searched at once; further requests get the events in memory.
    private static let maximumReads = 16

    /// - Parameters:
    ///   - directory: The state directory, which is made if it is missing; nil to store nothing before there is one.
    ///   - former: The directory of the former process, which may differ; nil if there is none.
    ///   - retention: The amount that is kept.
    ///   - patience: The time to wait for a locked database, and for its answers.
    ///   - handover: The time that a process before this one may take to release it before this is reported.
    ///   - now: UTC.
    ///   - onNews: Called with news for the operator, on any thread.
    package init(
        directory: String?,
        former: String? = nil,
        retention: EventRetention,
        patience: Duration = .seconds(2),
        handover: Duration = EventStore.handover,
        now: @escaping @Sendable () -> MediaTime,
        onNews: @escaping @Sendable (EventStoreEvent) -> Void
    ) {
        self.patience = patience
        self.handover = handover
        self.now = now
        self.onNews = onNews
        state = Mutex(State(directory: directory, former: former, retention: retention))
    }

    package var hasPlace: Bool { state.withLock { $0.directory != nil } }

    package var health: EventArchiveHealth {
        state.withLock { EventArchiveHealth(problem: $0.problem, unkept: $0.unkept, bytes: $0.byteCount) }
    }

    /// Keeps more or less from now on.
    package func update(_ retention: EventRetention) {
        state.withLock { $0.retention = retention }
    }

    /// Opens the database of an earlier process.
    ///
    /// - Returns: The number of its newest event; nil if there is none, or if it cannot be read.
    package func open() async -> Int? {
        await answer(within: patience * 5, otherwise: nil) { try $0.newest() }
    }

    /// Writes the events of a log until the signal is finished, and then the last ones.
    package func follow(_ log: EventLog, _ signal: EventSignal) async {
        let (wakes, continuation) = signal.follow()
        let heart = Task {
            while (try? await Task.sleep(for: Self.heartbeat)) != nil { continuation.yield() }
        }
        defer { heart.cancel() }
        var trimmed: ContinuousClock.Instant?
        for await _ in wakes {
            let isDue = trimmed.map { ContinuousClock.now - $0 >= Self.trimInterval } ?? true
            let isTrimmed = await catchUp(log, trims: isDue)
            if isDue, isTrimmed { trimmed = .now }
            try? await Task.sleep(for: Self.gathering)
        }
        _ = await catchUp(log, trims: false)
    }

    /// Writes pending events and removes some that are too old, unless that is under way.
    ///
    /// The wait is short: a stalled disk does not keep the process from ending.
    ///
    /// - Returns: True if nothing is left that is too old.
    private func catchUp(_ log: EventLog, trims: Bool) async -> Bool {
        let isFree = state.withLock { state in
            defer { state.isCatchingUp = true }
            return !state.isCatchingUp
        }
        guard isFree else { return false }
        return await FirstAnswer.wait(for: patience, otherwise: false) { done in
            queue.async { [self] in
                _ = writeNow(from: log)
                let isTrimmed = trims && !removeSome()
                state.withLock { $0.isCatchingUp = false }
                done(isTrimmed)
            }
        }
    }

    /// Writes the events of a log that are not stored yet.
    ///
    /// - Returns: True if all are stored.
    @discardableResult
    package func write(from log: EventLog) async -> Bool {
        await queue.run { [self] in writeNow(from: log) }
    }

    private func writeNow(from log: EventLog) -> Bool {
        guard hasPlace else {
            // Events that memory drops meanwhile do not count as lost.
            let position = log.oldest - 1
            state.withLock { $0.position = position }
            return false
        }
        let (position, problem) = state.withLock { ($0.position ?? log.origin, $0.problem) }
        let entries = log.entries(after: position)
        // Even without new events, a problem may be over.
        if entries.isEmpty, problem == nil { return true }
        let written: Void? = attempt { database in
            // If the former database was set aside, only memory has events.
            try database.add(state.withLock { $0.isAnew } ? log.entries() : entries)
        }
        if written == nil { return false }
        let lost = entries.first.map { max(0, $0.number - 1 - position) } ?? 0
        let isNews = state.withLock { state in
            state.position = entries.last?.number ?? position
            state.isAnew = false
            state.unkept += lost
            defer { (state.problem, state.isProblemReported) = (nil, false) }
            return state.isProblemReported
        }
        if isNews { onNews(.ended(lost: lost)) }
        return true
    }

    /// Starts a timer that reports a disk without an answer.
    func watchDisk() -> DispatchWorkItem {
        let watch = DispatchWorkItem { [weak self] in self?.fail("the disk does not answer") }
        DispatchQueue.global().asyncAfter(deadline: .now() + 5 * (patience / .seconds(1)), execute: watch)
        return watch
    }

    /// Removes events beyond the limits of age and size, a little at a time.
    package func trim() async {
        var continues = true
        // Other work of the queue runs between the steps.
        while continues {
            continues = await withCheckedContinuation { continuation in
                queue.async { [self] in continuation.resume(returning: removeSome()) }
            }
        }
    }

    /// - Returns: True if there may be more to remove.
    private func removeSome() -> Bool {
        let retention = state.withLock { $0.retention }
        let removed: Int? = attempt { database in
            let now = now()
            let count = try database.removeOldest(
                outside: (now - retention.duration)...(now + retention.duration),
                beyond: retention.maximumBytes,
                atMost: Self.removal
            )
            let bytes = try database.byteCount()
            state.withLock { $0.byteCount = bytes }
            return count
        }
        return removed == Self.removal
    }

    // MARK: Reading

    package func entries(_ search: EventSearch) async -> [EventLog.Entry]? {
        let database: EventDatabase? = state.withLock { state in
            guard state.database != nil, state.reads < Self.maximumReads else { return nil }
            state.reads += 1
            return state.database
        }
        guard let database else { return nil }
        return await FirstAnswer.wait(for: patience, otherwise: nil) { done in
            database.read(search) { [self] result in
                state.withLock { $0.reads -= 1 }
                if case .failure(let error) = result {
                    queue.async {
                        // Another database may have replaced this one by now.
                        if self.state.withLock({ $0.database === database }) { self.recover(from: error) }
                    }
                }
                done(try? result.get())
            }
        }
    }

    package func position(of reader: String) async -> Int? {
        let start = ContinuousClock.now
        while true {
            let place = await FirstAnswer.wait(for: patience, otherwise: ReaderPlace.unknown) { done in
                queue.async { [self] in
                    guard state.withLock({ $0.directory }) != nil else { return done(.none) }
                    let position = attempt { try $0.position(of: reader) }
                    done(position.map { $0.map(ReaderPlace.known) ?? .none } ?? .failed)
                }
            }
            if case .known(let position) = place { return position }
            // After an upgrade the process before this one stores its readers' positions until it has ended. A database
            // that does not answer may have one: taken for none, the events that wait for the reader would be lost.
            let end = start + (place == .failed ? patience : handover)
            guard place != .none || state.withLock({ $0.isTaken }), ContinuousClock.now < end,
                (try? await Task.sleep(for: Self.gathering)) != nil
            else { return nil }
        }
    }

    /// The database's answer about a reader's place.
    private enum ReaderPlace: Hashable {
        case known(Int)
        case none
        /// It has not answered in time.
        case unknown
        /// It cannot be read.
        case failed
    }

    package func keep(position: Int, of reader: String) {
        queue.async { [self] in
            _ = attempt { try $0.keep(position: position, of: reader) }
        }
    }

    /// Returns the database's answer, or `otherwise` if there is none in time.
    private func answer<Value: Sendable>(
        within patience: Duration,
        otherwise: Value,
        _ body: @escaping @Sendable (EventDatabase) throws -> Value
    ) async -> Value {
        await FirstAnswer.wait(for: patience, otherwise: otherwise) { done in
            queue.async { [self] in done(attempt(body) ?? otherwise) }
        }
    }
}
