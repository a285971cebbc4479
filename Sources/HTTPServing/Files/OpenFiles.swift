package import Files
import NIOPosix
import Synchronization

/// The files that answers are sent from, each open once, however many connections it is sent to.
///
/// A file is open while some of it is being sent, and no longer: one that is removed keeps its room on the disk until then.
/// The number of files is limited; what is asked for beyond it has to be read.
package final class OpenFiles: Sendable {
    /// The files of all servers of the process.
    package static let shared = OpenFiles(limit: mostFiles)

    /// The most files, where the process may open enough.
    package static let mostFiles = 256

    private let state: Mutex<State>

    private struct State {
        var limit: Int
        var entries: [OpenFile.Identity: Entry] = [:]
        /// The files that are being opened at the moment.
        var opening = 0
    }

    private struct Entry {
        let file: OpenFile
        var leases = 1
    }

    /// - Parameter limit: The most files that are open at a time.
    package init(limit: Int) {
        state = Mutex(State(limit: limit))
    }

    /// Changes how many files may be open from now on.
    package func limit(to limit: Int) { state.withLock { $0.limit = limit } }

    /// The files that are open.
    package var count: Int { state.withLock { $0.entries.count } }

    /// Opens a file, and has the bytes in memory by the time that they are sent; it waits for the disk.
    ///
    /// - Returns: Nil if the file does not have all of them, or too many files are open: they have to be read.
    package func part(_ place: FilePlace) -> FilePart? {
        guard let identity = OpenFile.identity(of: place.path),
            let (file, lease) = leased(identity) ?? opened(place.path), file.load(place.range)
        else { return nil }
        return FilePart(file, place.range, lease: lease)
    }

    /// Returns a file that is open already.
    private func leased(_ identity: OpenFile.Identity) -> (OpenFile, Lease)? {
        let file = state.withLock { state in
            state.entries[identity]?.leases += 1
            return state.entries[identity]?.file
        }
        return file.map { ($0, Lease(identity, self)) }
    }

    private func opened(_ path: String) -> (OpenFile, Lease)? {
        let hasRoom = state.withLock { state in
            guard state.entries.count + state.opening < state.limit else { return false }
            state.opening += 1
            return true
        }
        guard hasRoom else { return nil }
        let new = Self.open(path)
        let file = state.withLock { state -> OpenFile? in
            state.opening -= 1
            guard let new else { return nil }
            // Another thread may have opened it meanwhile.
            if let entry = state.entries[new.identity] {
                state.entries[new.identity]?.leases += 1
                return entry.file
            }
            state.entries[new.identity] = Entry(file: new.file)
            return new.file
        }
        guard let file, let new else { return nil }
        return (file, Lease(new.identity, self))
    }

    private static func open(_ path: String) -> (file: OpenFile, identity: OpenFile.Identity)? {
        guard let file = try? OpenFile.plain(path), let identity = file.identity else { return nil }
        return (file, identity)
    }

    private func release(_ identity: OpenFile.Identity) {
        let file = state.withLock { state -> OpenFile? in
            guard let entry = state.entries[identity] else { return nil }
            if entry.leases > 1 {
                state.entries[identity]?.leases -= 1
                return nil
            }
            state.entries[identity] = nil
            return entry.file
        }
        // Closing the last descriptor of a removed file takes the time of giving back its room: that is no work for an
        // event loop.
        guard let file, file.isRemoved else { return }
        NIOThreadPool.singleton.submit { _ in withExtendedLifetime(file) {} }
    }

    /// The right to send from a file.
    private final class Lease: Sendable {
        private let identity: OpenFile.Identity
        private let files: OpenFiles

        init(_ identity: OpenFile.Identity, _ files: OpenFiles) {
            (self.identity, self.files) = (identity, files)
        }

        deinit { files.release(identity) }
    }
}
