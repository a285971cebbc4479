package import Files
import NIOPosix
import Synchronization

/// The files that answers are sent from, each open once for all connections.
///
/// A file is only open while a part is being sent; a removed file keeps its room on disk until then. The number of
/// files is limited; the bytes of further files must be read.
package final class OpenFiles: Sendable {
    /// The files of all servers of the process.
    package static let shared = OpenFiles(limit: mostFiles)

    /// The most files, if the process may open enough.
    package static let mostFiles = 256

    private let state: Mutex<State>

    private struct State {
        var limit: Int
        /// The files that are open, or being opened.
        var count = 0
        var entries: [OpenFile.Identity: Entry] = [:]
    }

    private struct Entry {
        weak var file: SharedFile?
        let id: ObjectIdentifier

        init(_ file: SharedFile) { (self.file, id) = (file, ObjectIdentifier(file)) }
    }

    /// - Parameter limit: The most files that are open at a time.
    package init(limit: Int) {
        state = Mutex(State(limit: limit))
    }

    /// Changes how many files may be open from now on.
    package func limit(to limit: Int) { state.withLock { $0.limit = limit } }

    /// The files that are open.
    package var count: Int { state.withLock { $0.count } }

    /// Opens a file, and loads the bytes into memory before they are sent; the call waits for the disk.
    ///
    /// - Returns: Nil if the file does not have all bytes, or too many files are open; the caller must then read them.
    package func part(_ place: FilePlace) -> FilePart? {
        guard let identity = OpenFile.identity(of: place.path),
            let shared = shared(identity) ?? opened(place.path), shared.file.load(place.range)
        else { return nil }
        return FilePart(shared.file, place.range, lease: shared)
    }

    /// Returns a file that is open already.
    private func shared(_ identity: OpenFile.Identity) -> SharedFile? {
        state.withLock { $0.entries[identity]?.file }
    }

    private func opened(_ path: String) -> SharedFile? {
        let hasRoom = state.withLock { state in
            guard state.count < state.limit else { return false }
            state.count += 1
            return true
        }
        guard hasRoom else { return nil }
        guard let file = try? OpenFile.plain(path), let identity = file.identity else {
            state.withLock { $0.count -= 1 }
            return nil
        }
        let new = SharedFile(file, identity, self)
        // Its end takes the lock as well.
        return withExtendedLifetime(new) {
            state.withLock { state in
                // Another thread may have opened the file since.
                if let other = state.entries[identity]?.file { return other }
                state.entries[identity] = Entry(new)
                return new
            }
        }
    }

    fileprivate func forget(_ identity: OpenFile.Identity, _ id: ObjectIdentifier) {
        state.withLock { state in
            state.count -= 1
            if state.entries[identity]?.id == id { state.entries[identity] = nil }
        }
    }
}

/// A file that is open as long as a part of it is being sent.
final class SharedFile: Sendable {
    let file: OpenFile
    private let identity: OpenFile.Identity
    private let owner: OpenFiles

    fileprivate init(_ file: OpenFile, _ identity: OpenFile.Identity, _ owner: OpenFiles) {
        (self.file, self.identity, self.owner) = (file, identity, owner)
    }

    deinit {
        owner.forget(identity, ObjectIdentifier(self))
        // Closing the last descriptor of a removed file takes the time of giving back its room: that is no work for an
        // event loop.
        guard file.isRemoved else { return }
        NIOThreadPool.singleton.submit { [file] _ in withExtendedLifetime(file) {} }
    }
}
