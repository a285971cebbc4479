import Atomics
import Files
import NIOCore
import NIOPosix
import Synchronization

/// Copies of bodies in files in memory, which the kernel sends to many clients without a copy for each.
///
/// A body is copied at its second request, on a worker thread. The number of copies and their bytes are limited. If
/// room is short, the least recently requested copy is dropped, and its body is again sent from its own bytes. Copies
/// in constant use are never dropped, because with too many of them each would only displace the next.
package final class MemoryCopies: Sendable {
    /// The copies of all servers of the process.
    package static let shared = MemoryCopies(files: mostFiles, bytes: mostBytes)

    /// The most copies, if the process may open enough files.
    package static let mostFiles = 64
    /// The most bytes of all copies.
    package static let mostBytes = 256 * 1024 * 1024
    /// The nanoseconds for which a copy stays after a request, and between two searches for room.
    static let pause: UInt64 = 1_000_000_000

    private let state: Mutex<State>

    private struct State {
        var mostFiles: Int
        let mostBytes: Int
        /// The copies that exist, those among them that are given up but still being sent.
        var files = 0
        var bytes = 0
        /// The copies that answers are sent from.
        var entries: [ObjectIdentifier: Entry] = [:]

        func hasRoom(for count: Int) -> Bool { files < mostFiles && count <= mostBytes - bytes }

        /// Removes the copy that was requested least recently, unless that request is recent.
        mutating func removeOldest(at time: NIODeadline) -> Entry? {
            let uses = entries.mapValues { $0.lastUse.load(ordering: .relaxed) }
            guard let oldest = uses.min(by: { $0.value < $1.value }),
                oldest.value + MemoryCopies.pause <= time.uptimeNanoseconds
            else { return nil }
            return entries.removeValue(forKey: oldest.key)
        }
    }

    /// - Parameters:
    ///   - files: The most copies.
    ///   - bytes: The most bytes of all copies.
    package init(files: Int, bytes: Int) {
        state = Mutex(State(mostFiles: files, mostBytes: bytes))
    }

    /// Changes how many copies there may be from now on.
    package func limit(to files: Int) { state.withLock { $0.mostFiles = files } }

    /// The copies that exist, and their bytes.
    var use: (Int, Int) { state.withLock { ($0.files, $0.bytes) } }

    /// The demand for a body.
    private enum Demand {
        static let none = 0
        static let once = 1
        static let isBeingCopied = 2
        static let isCopied = 3
        static let cannotBeCopied = 4
    }

    /// The state of a place, which ``state`` holds as well while there is a copy.
    private final class Entry: Sendable {
        let demand = ManagedAtomic(Demand.none)
        /// The time of its last request, in nanoseconds.
        let lastUse = ManagedAtomic<UInt64>(0)
        /// The time of the next search for room for a copy; before it, requests do not try.
        let nextTry = ManagedAtomic<UInt64>(0)
        let copy = ManagedAtomic<Copy?>(nil)

        /// Takes a step from one demand to another.
        ///
        /// - Returns: False if another thread has taken it.
        func goes(from demand: Int, to next: Int) -> Bool {
            self.demand.compareExchange(expected: demand, desired: next, ordering: .acquiringAndReleasing).exchanged
        }

        /// Drops the copy to make room for another one.
        func giveUp() {
            // The next copy is made after this one is gone.
            copy.store(nil, ordering: .releasing)
            demand.store(Demand.once, ordering: .releasing)
        }

        /// Notes that there was no room for a copy, and when to try again.
        func waits(at time: NIODeadline) {
            nextTry.store(time.uptimeNanoseconds + MemoryCopies.pause, ordering: .relaxed)
            demand.store(Demand.once, ordering: .releasing)
        }
    }

    /// A copy; its memory is free with the last reference to it.
    private final class Copy: AtomicReference, Sendable {
        let file: OpenFile
        private let byteCount: Int
        private let owner: MemoryCopies

        init(_ file: OpenFile, _ byteCount: Int, _ owner: MemoryCopies) {
            (self.file, self.byteCount, self.owner) = (file, byteCount, owner)
        }

        deinit { owner.giveBack(byteCount) }
    }

    /// The place of a copy next to its original bytes; the copy is dropped with it.
    ///
    /// Reading it takes no lock.
    final class Place: Sendable {
        private let owner: MemoryCopies
        private let entry = Entry()

        init(in owner: MemoryCopies = .shared) {
            self.owner = owner
        }

        deinit { owner.forget(entry) }

        /// Returns the copy if it exists; the second call starts making it for later requests.
        ///
        /// - Parameters:
        ///   - body: The bytes, which are the same in each call.
        ///   - time: The time of the request.
        /// - Returns: The copy; nil while there is none.
        func part(of body: ByteBuffer, at time: NIODeadline) -> FilePart? {
            if let copy = entry.copy.load(ordering: .acquiring) {
                entry.lastUse.store(time.uptimeNanoseconds, ordering: .relaxed)
                return FilePart(copy.file, 0..<body.readableBytes, lease: copy)
            }
            switch entry.demand.load(ordering: .acquiring) {
            // Event loops work side by side: none may undo the step of another, or a body is copied twice.
            case Demand.none: _ = entry.goes(from: Demand.none, to: Demand.once)
            case Demand.once:
                guard time.uptimeNanoseconds >= entry.nextTry.load(ordering: .relaxed),
                    entry.goes(from: Demand.once, to: Demand.isBeingCopied)
                else { break }
                entry.lastUse.store(time.uptimeNanoseconds, ordering: .relaxed)
                // The closure holds the place, so that it is not released before the copy is made.
                NIOThreadPool.singleton.submit { [self] _ in owner.copy(body, to: entry, at: time) }
            default: break
            }
            return nil
        }
    }

    // MARK: Making and ending copies

    private func copy(_ body: ByteBuffer, to entry: Entry, at time: NIODeadline) {
        guard takeRoom(for: body.readableBytes, at: time) else { return entry.waits(at: time) }
        guard let file = try? OpenFile(inMemory: body) else {
            giveBack(body.readableBytes)
            // Trying again with each request would cost more than it might save.
            return entry.demand.store(Demand.cannotBeCopied, ordering: .relaxed)
        }
        let copy = Copy(file, body.readableBytes, self)
        // A thread that sees the copy can also see it go.
        state.withLock { state in
            state.entries[ObjectIdentifier(entry)] = entry
            entry.demand.store(Demand.isCopied, ordering: .relaxed)
            entry.copy.store(copy, ordering: .releasing)
        }
    }

    private func takeRoom(for count: Int, at time: NIODeadline) -> Bool {
        // The end of a copy takes the lock.
        let oldest = state.withLock { state in
            state.hasRoom(for: count) || count > state.mostBytes ? nil : state.removeOldest(at: time)
        }
        oldest?.giveUp()
        return state.withLock { state in
            guard state.hasRoom(for: count) else { return false }
            state.files += 1
            state.bytes += count
            return true
        }
    }

    private func giveBack(_ count: Int) {
        state.withLock { state in
            state.files -= 1
            state.bytes -= count
        }
    }

    private func forget(_ entry: Entry) {
        guard entry.demand.load(ordering: .relaxed) == Demand.isCopied else { return }
        // The entry ends outside of the lock, and with it the copy.
        _ = state.withLock { $0.entries.removeValue(forKey: ObjectIdentifier(entry)) }
    }
}
