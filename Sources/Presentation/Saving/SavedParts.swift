package import MediaCore
import NIOCore
package import Playlists

/// The parts that viewers have of the newest slots, by rendition, oldest first.
///
/// Past slots are included while playlists and caches may still name their parts (RFC 8216bis § 6.2.2). Nearly always
/// one slot is open; while its segment is being written, the parts of the next one follow. No slot has a hole between
/// its parts.
package struct SavedParts: Hashable, Sendable {
    package private(set) var byRendition: [RenditionID: [SavedPart]] = [:]

    /// The most parts of a rendition: far more than so many slots have.
    static let mostParts = 1 << 14
    /// The number of slots that are over whose parts are kept: no fewer than are served, whatever slots last.
    static let wholeSlots = 24

    package init() {}

    package var isEmpty: Bool { byRendition.isEmpty }

    /// All parts; those of a rendition are in order.
    package var all: [SavedPart] {
        byRendition.sorted { $0.key.name < $1.key.name }.flatMap(\.value)
    }

    /// Returns the parts of slots after one, or all if that is nil; those of a rendition are in order.
    package func all(after number: MediaSequenceNumber?) -> [SavedPart] {
        all.filter { part in number.map { $0 < part.number } ?? true }
    }

    /// Returns the parts whose bytes no segment of a window has, in order within a rendition.
    ///
    /// These are the parts of later slots, and of slots that became gaps.
    package func all(besides window: SavedWindow) -> [SavedPart] {
        let (last, newest) = (window.lastNumber, window.window.slots.suffix(Self.wholeSlots))
        let gaps = byRendition.keys.map { id in (id, Set(newest.filter { $0.isGap(of: id) }.map(\.number))) }
        let gapsByRendition = Dictionary(uniqueKeysWithValues: gaps)
        return all.filter { part in
            last.map { $0 < part.number } ?? true || gapsByRendition[part.rendition]?.contains(part.number) ?? false
        }
    }

    /// Compares the parts of a slot that became a gap in a rendition with that gap.
    ///
    /// - Parameters:
    ///   - number: The slot.
    ///   - id: The rendition.
    ///   - window: The window that is listed.
    /// - Returns: True if all parts exist: playlists can list them with the gap, and no segment has their bytes. False
    ///   for a slot that is no gap or is too old.
    package func areWhole(inGap number: MediaSequenceNumber, of id: RenditionID, in window: SavedWindow) -> Bool {
        let slot = window.window.slots.suffix(Self.wholeSlots).last { $0.number == number }
        guard let segment = slot?.segments[id], segment.line.isGap, let parts = byRendition[id] else { return false }
        return parts.filter { $0.number == number }.areAll(of: segment)
    }

    /// The newest slot that has parts; nil if none has.
    package var newest: MediaSequenceNumber? { byRendition.values.compactMap { $0.last?.number }.max() }

    /// Returns true if a part follows those of its rendition: the next one of its slot, or the first of a later slot.
    package func isFollowed(by part: SavedPart) -> Bool {
        guard let parts = byRendition[part.rendition], let last = parts.last else { return part.index == 0 }
        guard parts.count < Self.mostParts else { return false }
        if part.number == last.number { return part.index == last.index + 1 }
        return part.index == 0 && part.number > last.number
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

    /// Notes the newest slot that is over: segments tell the openings of the slots up to it, and only the newest
    /// of these keep their parts.
    package mutating func end(through number: MediaSequenceNumber) {
        let first = MediaSequenceNumber(number.value - Int64(Self.wholeSlots) + 1)
        for (id, parts) in byRendition where parts.first.map({ $0.number <= number }) ?? true {
            var kept = parts.filter { $0.number >= first }
            for index in kept.indices where kept[index].number <= number { kept[index].opening = nil }
            byRendition[id] = kept.isEmpty ? nil : kept
        }
    }

    /// The paths of all bytes that parts name, with their entity tags.
    var namedBytes: [(path: String, entityTag: String)] { byRendition.values.joined().flatMap(\.namedBytes) }

    /// Finds the places of parts in the segments that are over: parts end to end are their segment.
    ///
    /// - Parameter bodies: Bytes by path.
    /// - Returns: The places by the path of the part, of those whose bytes are there and the same.
    func places(in bodies: [String: ByteBuffer]) -> [String: Range<Int>] {
        var (places, ends) = ([String: Range<Int>](), [String: Int]())
        for part in all where !part.isGap {
            guard let segment = bodies[part.segmentPath], case let begin = ends[part.segmentPath] ?? 0,
                let bytes = segment.getSlice(at: segment.readerIndex + begin, length: part.byteCount)
            else { continue }
            ends[part.segmentPath] = begin + part.byteCount
            guard ContentHash(of: bytes).entityTag == part.entityTag else { continue }
            places[part.path] = begin..<begin + part.byteCount
        }
        return places
    }

    /// Selects the parts that can be listed with a window.
    ///
    /// - Parameters:
    ///   - window: The window that was listed.
    ///   - isThere: Returns true if the bytes of a part are there.
    /// - Returns: The parts of its slots that are complete, and the parts of the next slot or two up to the first
    ///   missing one.
    func listable(with window: SavedWindow, where isThere: (SavedPart) -> Bool) -> SavedParts {
        guard let last = window.lastNumber, let end = window.end else { return SavedParts() }
        var (open, found) = (self, SavedParts())
        open.end(through: last)
        for (id, parts) in open.byRendition where window.edge(of: id) != nil {
            for slot in window.window.slots.suffix(Self.wholeSlots) {
                let whole = parts.filter { $0.number == slot.number }
                guard let segment = slot.segments[id], whole.areAll(of: segment), whole.allSatisfy(isThere)
                else { continue }
                for part in whole { found.append(part) }
            }
            let open = parts.drop { $0.number <= last }
            guard open.first?.number == last.next, open.allSatisfy({ $0.number <= last.next.next && $0.isNear(end) })
            else { continue }
            for part in open.prefix(while: isThere) where !found.append(part) { break }
        }
        return found
    }
}

extension [SavedPart] {
    /// Returns true if these parts of a slot that is over are as long as its segment: then none is missing.
    fileprivate func areAll(of segment: ListedSegment) -> Bool {
        if isEmpty { return false }
        let length = reduce(MediaTime.zero) { $0 + $1.duration.time }
        // Each of them is rounded on its own. A gap lasts by UTC, which is slewed against media by 2 ms a second at most.
        let rounding = MediaTime(milliseconds: Int64(count)).ticks
        let tolerance = segment.line.isGap ? rounding + length.ticks / 500 : rounding
        return abs((length - segment.line.duration.time).ticks) <= tolerance
    }
}

extension SavedParts: Codable {
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
