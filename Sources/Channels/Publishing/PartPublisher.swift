import Playlists
import Presentation
import Segmenting
import Synchronization

/// Publishes parts as soon as they are written, but none before a decision that it depends on is carried out.
final class PartPublisher: Sendable {
    private let deliver: @Sendable (PublishedPart, RenditionID) -> Void
    /// The number of the newest batch that is carried out, of those that parts wait for.
    private let newest = Atomic(0)
    private let isStopped = Atomic(false)

    init(_ deliver: @escaping @Sendable (PublishedPart, RenditionID) -> Void) {
        self.deliver = deliver
    }

    /// Notes that a batch is carried out.
    func carriedOut(_ batch: Int) { newest.store(batch, ordering: .releasing) }

    /// Publishes nothing any more.
    func stop() { isStopped.store(true, ordering: .relaxed) }

    /// Publishes the parts of a line that can be by now; one thread may at a time, since they come in order.
    func publish(_ line: borrowing Mutex<PartLine>, of id: RenditionID) {
        while let part = line.withLock({ $0.takePublishable(after: newest.load(ordering: .acquiring)) }) {
            if !isStopped.load(ordering: .relaxed) { deliver(part, id) }
        }
    }
}

extension ChannelEngine.Action {
    /// True if parts that are decided after the batch wait for it.
    ///
    /// Before the batch, the presentation may lack their rendition, or the slot before theirs.
    var isAwaitedByParts: Bool {
        switch self {
        case .takeOverPeer: true
        case .publish(let slots): slots.contains { $0.hasNewRenditions || $0.waitsForAll || $0.followsLeap }
        case .publishPart, .announceKeys, .requestKeys, .report, .end: false
        }
    }
}
