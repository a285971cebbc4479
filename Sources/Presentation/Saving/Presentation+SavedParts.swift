import MediaCore
import NIOCore
import Playlists

/// Parts of the newest slots, from one process to the next.
extension Presentation.State {
    /// Takes over the parts that viewers have of a restored window and of the slots after it, before there are
    /// playlists.
    ///
    /// Published parts are final (RFC 8216bis § 6.2.1), and are listed and served for a while (§ 6.2.2).
    mutating func restoreParts(_ restored: RestoredWindow) {
        // An expired window begins anew.
        guard lowLatency != nil, let first = window.first?.number else { return }
        for (id, parts) in restored.parts.byRendition where timelines.count < Self.maximumTimelines && window.lists(id)
        {
            // A peer's parts may arrive when there are own ones already.
            let own = timelines[id]?.parts.slots ?? []
            let listed = parts.filter { part in
                part.number >= first && own.first.map { part.number < $0.number } ?? true
            }
            timelines[id] = RenditionTimeline(RenditionParts(restored: restored.slots(of: listed, id) + own))
        }
    }
}

extension RestoredWindow {
    /// Makes slots of parts of one rendition, in order.
    fileprivate func slots(of parts: [SavedPart], _ rendition: RenditionID) -> [RenditionParts.Slot] {
        Dictionary(grouping: parts, by: \.number).sorted { $0.key < $1.key }.map { number, parts in
            let opening = parts.first?.opening.map { PublishedPart.Opening($0, bodies: bodies) }
            var slot = RenditionParts.Slot(number, of: rendition, opening: opening)
            for part in parts { slot.append(ListedPart(part, content(of: part))) }
            return slot
        }
    }
}

extension RenditionTimeline {
    /// Adds the parts that are served or listed, with the bytes that no segment has.
    func save(_ id: RenditionID, into saved: inout SavedParts, _ bodies: inout [String: ByteBuffer]) {
        if last == nil { return }
        for slot in parts.slots {
            for (index, listed) in slot.parts.enumerated() {
                let opening = index == 0 ? slot.opening : nil
                let part = SavedPart(listed, at: PlaylistPosition(slot.number, part: index), of: id, opening: opening)
                guard saved.append(part) else { return }
                if case .own(let bytes) = listed.content { bodies[part.path] = bytes }
                if let map = part.opening?.map { bodies[map.uri] = opening?.initialization?.bytes }
            }
        }
    }
}

extension PublishedPart {
    /// Makes a part of a slot that is not over.
    init(_ saved: SavedPart, of restored: RestoredWindow) {
        self.init(
            number: saved.number,
            index: saved.index,
            duration: saved.duration,
            isIndependent: saved.isIndependent,
            content: restored.bodies[saved.path].map { .media($0) } ?? .gap,
            opening: saved.opening.map { Opening($0, bodies: restored.bodies) }
        )
        isLast = saved.isLast
    }
}

extension PublishedPart.Opening {
    fileprivate init(_ saved: SavedPart.Opening, bodies: [String: ByteBuffer]) {
        let section = saved.map.flatMap { map in
            bodies[map.uri].map { bytes in
                PublishedSegment.InitializationSection(
                    name: map.uri.split(separator: "/").last.map(String.init) ?? map.uri,
                    bytes: bytes,
                    keys: map.keys
                )
            }
        }
        self.init(
            programDateTime: saved.programDateTime,
            startsDiscontinuity: saved.startsDiscontinuity,
            initialization: section,
            keys: saved.keys
        )
    }
}
