import CSQLite
import Dispatch
import Files
import Glibc
import Synchronization

/// Recovery from an unusable database, while new events arrive.
extension EventStore {
    /// Runs a block with the database, which is opened if necessary; to be called on the queue.
    ///
    /// - Returns: The result; nil if that fails, which is reported, and where there is no directory.
    func attempt<Value>(_ body: (EventDatabase) throws -> Value) -> Value? {
        guard let directory = state.withLock({ $0.directory }) else { return nil }
        let watch = watchDisk()
        defer { watch.cancel() }
        do {
            return try body(try opened(in: directory))
        } catch {
            guard recover(from: error) else { return nil }
        }
        do {
            return try body(try opened(in: directory))
        } catch {
            recover(from: error)
            return nil
        }
    }

    /// - Returns: True if it may be tried again at once.
    @discardableResult
    func recover(from error: any Error) -> Bool {
        switch (error as? SQLiteError)?.code {
        case SQLITE_CORRUPT, SQLITE_NOTADB:
            return setAside(reason(error))
        case SQLITE_FULL, SQLITE_BUSY, SQLITE_LOCKED:
            break
        default:
            // Opening it shows its state.
            state.withLock { $0.database = nil }
        }
        fail(reason(error), after: error is DirectoryInUse ? handover : .zero)
        return false
    }

    /// Reports that events are not kept, unless that is known already.
    ///
    /// - Parameters:
    ///   - reason: The reason.
    ///   - delay: The failure is reported only after this time.
    func fail(_ reason: String, after delay: Duration = .zero) {
        let isNews = state.withLock { state in
            if state.problem == nil { state.problemBegan = .now }
            state.problem = reason
            guard !state.isProblemReported, ContinuousClock.now - state.problemBegan >= delay else { return false }
            state.isProblemReported = true
            return true
        }
        if isNews { onNews(.began(reason: reason)) }
    }

    private func opened(in directory: String) throws -> EventDatabase {
        if let database = state.withLock({ $0.database }) { return database }
        // The directory itself may be a link, as systemd makes one of a StateDirectory with DynamicUser.
        try LocalFileSystem.confidential.makeDirectory("\(directory)/.")
        if state.withLock({ $0.lock }) == nil {
            let lock = try lock(directory)
            state.withLock { ($0.lock, $0.isTaken) = (lock, $0.former != nil) }
        }
        let former = try former(of: directory)
        let database = try EventDatabase(path: Self.path(in: directory), patience: patience)
        if let former { takeAlong(former, into: database) }
        state.withLock { ($0.database, $0.former, $0.isTaken) = (database, nil, false) }
        return database
    }

    static func path(in directory: String) -> String { "\(directory)/\(fileName)" }

    /// The path of the database; there is none without a directory.
    private var path: String { Self.path(in: state.withLock { $0.directory ?? "." }) }

    /// - Returns: True if there is room for a new one.
    private func setAside(_ reason: String) -> Bool {
        state.withLock { state in
            state.database = nil
            state.isAnew = true
        }
        let path = path
        let other = "\(path).damaged"
        // The log belongs to the damaged database: without it, the copy would lack events.
        for suffix in ["-wal", "-shm"] where rename(path + suffix, other + suffix) != 0 { unlink(other + suffix) }
        guard rename(path, other) == 0 else {
            fail(reason)
            return false
        }
        onNews(.setAside(path: other, reason: reason))
        return true
    }

    private func reason(_ error: any Error) -> String {
        switch error {
        case let error as DirectoryInUse: "another packager keeps its events in \(error.directory)"
        case let error as SQLiteError: "\(path): \(error)"
        default: "\(error)"
        }
    }
}
