import Files
import MediaCore
import NIOCore
import Presentation
import Synchronization

/// Keeps publications, as a journal does: late, or not at all where a test wants it so.
final class MemoryStore: PublicationConsumer, BodyStore {
    struct State {
        var bodies: [String: ByteBuffer] = [:]
        /// The paths of bodies by their slots, the oldest first.
        var paths: [(slot: Int64, path: String)] = []
        /// True if it tells what it has.
        var answers = true
        /// True if it takes publications.
        var takes = true
    }

    let state = Mutex(State())

    let name = "store"
    let policy = ConsumerPolicy.precedes(within: .seconds(60))
    let interest = Publication.Kinds.slots

    func take(_ batch: [Publication]) -> ConsumerResult {
        for case .slots(let slots) in batch { take(slots) }
        return .done
    }

    private func take(_ publication: SlotPublication) {
        state.withLock { state in
            guard state.takes else { return }
            for (path, body) in publication.bodies where state.bodies[path] == nil {
                state.bodies[path] = body
                guard let slot = Int64(path.split(separator: "/")[1].dropLast(4)) else { continue }
                state.paths.append((slot, path))
            }
            guard let oldest = publication.oldestServed else { return }
            let gone = state.paths.prefix { $0.slot < oldest.value }
            for (_, path) in gone { state.bodies[path] = nil }
            state.paths.removeFirst(gone.count)
        }
    }

    func holds(_ path: String) -> Bool? { state.withLock { $0.answers ? $0.bodies[path] != nil : nil } }

    func read(_ path: String, _ range: Range<Int>) throws(FileError) -> ByteBuffer {
        guard let slice = state.withLock({ $0.bodies[path]?.getSlice(at: range.lowerBound, length: range.count) })
        else { throw FileError(operation: "read", path: path, reason: "it is not there") }
        return slice
    }
}
