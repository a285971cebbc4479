import Dispatch
import Files
import Glibc
import Synchronization

/// Moving to another directory, with the events of the one before.
extension EventStore {
    /// A database that is taken along, and the lock that keeps other processes from writing into it.
    struct PreviousDatabase {
        let path: String
        let lock: any AnyObject & Sendable
    }

    /// The error that another process keeps its events in a directory.
    struct DirectoryInUse: Error {
        let directory: String
    }

    /// The directory with the events, for the successor of this process; nil if there is none.
    package var keptDirectory: String? { state.withLock { $0.former ?? $0.directory } }

    /// Moves to another directory, or to the first one, with all present events.
    ///
    /// Events of the former directory are copied once the new one can be written. The former database stays as it is.
    package func move(to directory: String) {
        let isAnother = state.withLock { state in
            defer { state.directory = state.directory ?? directory }
            return state.directory != nil
        }
        // Writes that wait are done in the former directory.
        if isAnother { queue.async { [self] in change(to: directory) } }
    }

    private func change(to directory: String) {
        // The database is closed after the lock of the state.
        _ = state.withLock { state -> EventDatabase? in
            guard let old = state.directory, old != directory else { return nil }
            // Only events of this packager are copied. Until then it writes none of its own to the next directory.
            if state.former == nil, state.lock != nil { state.former = old }
            state.directory = directory
            state.lock = nil
            defer { state.database = nil }
            return state.database
        }
        _ = attempt { _ in }
    }

    /// Locks a directory; on the queue.
    ///
    /// - Throws: ``DirectoryInUse`` if another process has it; `FileError`.
    func lock(_ directory: String) throws -> any AnyObject & Sendable {
        guard let lock = try LocalFileSystem.confidential.lock("\(directory)/events.lock") else {
            state.withLock { $0.isTaken = true }
            throw DirectoryInUse(directory: directory)
        }
        return lock
    }

    /// Locks the previous database, whose events are to be copied.
    ///
    /// - Parameter directory: The directory that gets the events.
    /// - Returns: The database; nil if there is none, or if it cannot be locked, which is reported.
    /// - Throws: ``DirectoryInUse`` while the former process still has it.
    func former(of directory: String) throws -> PreviousDatabase? {
        guard let former = state.withLock({ $0.former }), !Self.areSame(former, directory) else { return nil }
        let path = Self.path(in: former)
        guard access(path, F_OK) == 0 else { return nil }
        do {
            return PreviousDatabase(path: path, lock: try lock(former))
        } catch let error where !(error is DirectoryInUse) {
            leave(path, error)
            return nil
        }
    }

    /// Copies the events of a former database.
    ///
    /// A failure is reported, and the new database is used without them.
    func takeAlong(_ former: PreviousDatabase, into database: EventDatabase) {
        do {
            // Opened once, it has all tables, and in its file all that was written.
            _ = try EventDatabase(path: former.path, patience: patience)
            try database.add(allOf: former.path)
            onNews(.tookAlong(path: former.path))
        } catch {
            leave(former.path, error)
        }
    }

    private func leave(_ path: String, _ error: any Error) {
        // Memory has the newest of the events that stay there.
        state.withLock { $0.isAnew = true }
        onNews(.left(path: path, reason: "\(error)"))
    }

    /// Returns true if two paths lead to one directory.
    private static func areSame(_ one: String, _ other: String) -> Bool {
        var (first, second) = (stat(), stat())
        return stat(one, &first) == 0 && stat(other, &second) == 0 && first.st_dev == second.st_dev
            && first.st_ino == second.st_ino
    }
}
