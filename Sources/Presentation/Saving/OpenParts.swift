package import MediaCore
package import Playlists

/// The parts that viewers have of slots that are not over, by rendition, oldest first.
///
/// The parts of a rendition have no holes. Nearly always they are of one slot; while that is still being written, those
/// of the next one follow.
package struct OpenParts: Hashable, Sendable {
    package private(set) var byRendition: [RenditionID: [SavedPart]] = [:]

    /// The most parts of a rendition: far more than two slots have.
    static let mostParts = 1 << 14

    package init() {}

    package var isEmpty: Bool { byRendition.isEmpty }

    /// All parts; those of a rendition are in order.
    package var all: [SavedPart] {
        byRendition.sorted { $0.key.name < $1.key.name }.flatMap(\.value)
    }

    /// The newest slot that has parts; nil if none has.
    package var newest: MediaSequenceNumber? { byRendition.values.compactMap { $0.last?.number }.max() }

    /// Returns true if a part follows those of its rendition: the next one of its slot, or the first of the next slot.
    package func isFollowed(by part: SavedPart) -> Bool {
        guard let parts = byRendition[part.rendition], let last = parts.last else { return part.index == 0 }
        guard parts.count < Self.mostParts else { return false }
        if part.number == last.number { return part.index == last.index + 1 }
        return part.index == 0 && part.number == last.number.next
    }

    /// Returns true if it has this very part.
    package func contains(_ part: SavedPart) -> Bool { byRendition[part.rendition]?.contains(part) ?? false }

    /// Appends a part.
    ///
    /// - Returns: False if it does not follow; then nothing has changed.
    @discardableResult
    package mutating func append(_ part: SavedPart) -> Bool {
        guard isFollowed(by: part) else { return false }
        byRendition[part.rendition, default: []].append(part)
        return true
    }

    /// Removes the parts of slots that are over.
    package mutating func drop(through number: MediaSequenceNumber) {
        for (id, parts) in byRendition where parts.first.map({ $0.number <= number }) ?? true {
            let rest = parts.filter { $0.number > number }
            byRendition[id] = rest.isEmpty ? nil : rest
        }
    }

    /// The paths of all bytes that parts name, with their entity tags.
    var namedBytes: [(path: String, entityTag: String)] { byRendition.values.joined().flatMap(\.namedBytes) }

    /// Selects the parts that can be listed after a window.
    ///
    /// - Parameters:
    ///   - window: The window that was listed.
    ///   - isThere: Returns true if the bytes of a part are there.
    /// - Returns: Those of the next slot or two, as far as none is missing.
    func following(_ window: SavedWindow, where isThere: (SavedPart) -> Bool) -> OpenParts {
        guard let last = window.lastNumber, let end = window.end else { return OpenParts() }
        var (open, found) = (self, OpenParts())
        open.drop(through: last)
        for (id, parts) in open.byRendition where window.edge(of: id) != nil {
            guard parts.first?.number == last.next, parts.allSatisfy({ $0.isNear(end) }) else { continue }
            for part in parts.prefix(while: isThere) where !found.append(part) { break }
        }
        return found
    }
}

extension OpenParts: Codable {
    /// - Throws: `DecodingError`, also if a part does not follow the one before.
    package init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd {
            guard append(try container.decode(SavedPart.self)) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "a part is missing")
            }
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for part in all { try container.encode(part) }
    }
}

extension SavedPart {
    /// Returns true if its slot begins not long before or after a point: arithmetic with its time is safe then.
    fileprivate func isNear(_ end: MediaTime) -> Bool {
        opening.map { abs(($0.programDateTime - end).ticks) <= MediaTime(seconds: 3600).ticks } ?? true
    }
}
