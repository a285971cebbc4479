import Files
import MediaCore
import NIOCore
import Presentation
import Synchronization

/// Keeps what is published, as a journal does: of late, or not at all where a test wants it so.
final class MemoryStore: PublicationConsumer, BodyStore {
    struct State {
        var bodies: [String: ByteBuffer] = [:]
        /// Whether it says what it has.
        var answers = true
        /// Whether it takes what is published.
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
            state.bodies.merge(publication.bodies) { old, _ in old }
            guard let oldest = publication.oldestServed else { return }
            state.bodies = state.bodies.filter { path, _ in
                Int64(path.split(separator: "/")[1].dropLast(4)).map { $0 >= oldest.value } ?? true
            }
        }
    }

    func holds(_ path: String) -> Bool? { state.withLock { $0.answers ? $0.bodies[path] != nil : nil } }

    func read(_ path: String, _ range: Range<Int>) throws(FileError) -> ByteBuffer {
        guard let slice = state.withLock({ $0.bodies[path]?.getSlice(at: range.lowerBound, length: range.count) })
        else { throw FileError(operation: "read", path: path, reason: "it is not there") }
        return slice
    }
}
