import MediaCore
import NIOCore
import Playlists

/// Parts of slots that are not over, from one process to the next.
extension Presentation {
    /// Lists the parts again that viewers have of the slots after a restored window; what was told is final (RFC
    /// 8216bis § 6.2.1).
    func showAgain(_ restored: RestoredWindow) {
        for part in restored.open.all {
            // A rendition whose window has expired begins anew.
            try? publish(PublishedPart(part, bodies: restored.bodies), of: part.rendition)
        }
    }
}

extension RenditionTimeline {
    /// Adds the parts of slots that are not over, with the bytes that they name.
    func save(_ id: RenditionID, into open: inout OpenParts, _ bodies: inout [String: ByteBuffer]) {
        for slot in parts.slots where last.map({ $0 < slot.number }) ?? false {
            for index in slot.parts.indices {
                let part = slot.part(index)
                let saved = SavedPart(part, of: id)
                guard open.append(saved) else { return }
                bodies[saved.path] = part.media
                if let map = saved.opening?.map { bodies[map.uri] = part.opening?.initialization?.bytes }
            }
        }
    }
}

extension RenditionParts.Slot {
    /// Returns a part of a slot that is not over, which has its own bytes.
    fileprivate func part(_ index: Int) -> PublishedPart {
        let content: PublishedSegment.Content =
            if case .own(let bytes) = parts[index].content { .media(bytes) } else { .gap }
        return PublishedPart(
            number: number,
            index: index,
            duration: parts[index].duration,
            isIndependent: parts[index].isIndependent,
            content: content,
            opening: index == 0 ? opening : nil
        )
    }
}

extension PublishedPart {
    /// Makes the part that was saved.
    ///
    /// - Parameters:
    ///   - saved: The saved part.
    ///   - bodies: The bytes that it names, by path.
    fileprivate init(_ saved: SavedPart, bodies: [String: ByteBuffer]) {
        self.init(
            number: saved.number,
            index: saved.index,
            duration: saved.duration,
            isIndependent: saved.isIndependent,
            content: bodies[saved.path].map { .media($0) } ?? .gap,
            opening: saved.opening.map { Opening($0, bodies: bodies) }
        )
        isRestored = true
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
