import MediaCore
import NIOCore
import Playlists
import Presentation
import SegmentingSupport
import Synchronization

/// The parts and slots that a channel publishes, by rendition, in order.
final class PartLog: PublicationConsumer {
    let name = "parts"
    let policy = ConsumerPolicy.observes
    let interest: Publication.Kinds = [.part, .slots]
    private let state = Mutex<[RenditionID: Rendition]>([:])

    struct Rendition {
        /// The publications in words: `2.0` for a part, `2` for a segment.
        var entries: [String] = []
        /// The end of the newest part, in UTC.
        var end: MediaTime?
        /// The ends of slots in UTC, by their parts and by their segments.
        var ends: [MediaSequenceNumber: (parts: MediaTime?, segment: MediaTime?)] = [:]
        /// The bytes of parts, joined, and of segments, by slot.
        var joined: [MediaSequenceNumber: ByteBuffer] = [:]
        var segments: [MediaSequenceNumber: ByteBuffer] = [:]
    }

    subscript(id: RenditionID) -> Rendition { state.withLock { $0[id] ?? Rendition() } }

    func take(_ batch: [Publication]) -> ConsumerResult {
        for publication in batch {
            switch publication {
            case .part(let publication): add(publication.part, of: publication.rendition)
            case .slots(let publication): publication.slots.forEach(add)
            default: break
            }
        }
        return .done
    }

    private func add(_ part: PublishedPart, of id: RenditionID) {
        state.withLock { renditions in
            let start = part.opening?.programDateTime ?? renditions[id]?.end
            let end = start.map { $0 + part.duration.time }
            renditions[id, default: Rendition()].end = end
            renditions[id]?.ends[part.number, default: (nil, nil)].parts = end
            var gap = ""
            switch part.content {
            case .media(let bytes):
                renditions[id]?.joined[part.number, default: ByteBuffer()].writeImmutableBuffer(bytes)
            case .gap: gap = " gap"
            }
            renditions[id]?.entries.append("\(part.number.value - Epoch.slot.value).\(part.index)\(gap)")
        }
    }

    private func add(_ slot: PublishedSlot) {
        state.withLock { renditions in
            for (id, segment) in slot.segments {
                let gap = segment.media == nil ? " gap" : ""
                renditions[id, default: Rendition()].entries.append("\(slot.number.value - Epoch.slot.value)\(gap)")
                renditions[id]?.segments[slot.number] = segment.media
                let end = segment.programDateTime + segment.duration.time
                renditions[id]?.ends[slot.number, default: (nil, nil)].segment = end
            }
        }
    }
}

extension PartLog.Rendition {
    /// Parts of a slot, in order.
    func parts(of slot: Int64) -> [String] { entries.filter { $0.hasPrefix("\(slot).") } }
}
