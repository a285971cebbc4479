import MediaCore
import NIOCore
import Playlists

/// The parts of one rendition by slot, oldest first: of the slots that are not over, and of those that were lately.
///
/// A part comes when it is complete, however late the other renditions are: its rendition may be in the next slot before
/// this one is published as a whole.
struct RenditionParts: Sendable {
    /// The parts of one slot, in order.
    struct Slot: Sendable {
        let rendition: RenditionID
        let number: MediaSequenceNumber
        /// The lines above the first part; nil if nothing new is known of them.
        let opening: PublishedPart.Opening?
        fileprivate(set) var parts: [ListedPart] = []
        /// The lines of the parts, which are the same in every playlist that lists them.
        private(set) var lines: [MediaPlaylist.Part] = []

        init(_ number: MediaSequenceNumber, of rendition: RenditionID, opening: PublishedPart.Opening?) {
            (self.rendition, self.number, self.opening) = (rendition, number, opening)
        }

        mutating func append(_ part: ListedPart) {
            let path = PartPath(rendition, number, parts.count).description
            lines.append(
                MediaPlaylist.Part(
                    uri: path,
                    duration: part.duration,
                    isIndependent: part.isIndependent,
                    isGap: part.isGap
                )
            )
            parts.append(part)
        }
    }

    private(set) var slots: [Slot] = []
    /// The bytes of the parts that have bytes of their own.
    private(set) var byteCount = 0

    /// The most unfinished slots: the one whose parts playlists list, and the next.
    private static let maximumOpen = 2

    subscript(number: MediaSequenceNumber) -> Slot? { slots.last { $0.number == number } }

    subscript(position: PlaylistPosition) -> ListedPart? {
        guard let index = position.part, let slot = self[position.number], slot.parts.indices.contains(index) else {
            return nil
        }
        return slot.parts[index]
    }

    /// True if there is such a part with the same content.
    func contains(_ part: PublishedPart, entityTag: String?) -> Bool {
        guard let known = self[part.position] else { return false }
        return switch known.content {
        case .own(let bytes): bytes == part.media
        case .segment(let range): range.count == part.byteCount && known.entityTag == entityTag
        case .gap: part.media == nil
        }
    }

    /// Returns the number of parts of a slot; 0 if it is not told in parts.
    func count(of number: MediaSequenceNumber) -> Int { self[number]?.parts.count ?? 0 }

    /// Returns the position after the newest part, where `last` is the newest slot that is over; nil for a slot before
    /// all.
    func next(after last: MediaSequenceNumber?) -> PlaylistPosition? {
        if let newest = slots.last, last.map({ $0 < newest.number }) ?? true {
            let isOver = newest.parts.last?.isLast ?? false
            return isOver
                ? PlaylistPosition(newest.number.next, part: 0)
                : PlaylistPosition(newest.number, part: newest.parts.count)
        }
        return last.map { PlaylistPosition($0.next, part: 0) }
    }

    /// Appends the next part of the newest slot, or the first one of a later slot.
    ///
    /// - Parameters:
    ///   - part: The part.
    ///   - entityTag: The entity tag of its bytes.
    ///   - rendition: The rendition.
    ///   - last: The newest slot that is over; nil before the first playlist, when older slots give way.
    ///   - maximumCount: The most parts of a slot.
    /// - Throws: ``PartError/outOfSequence(expected:found:)`` or ``PartError/tooMany(_:)``; then nothing has changed.
    mutating func append(
        _ part: PublishedPart,
        entityTag: String?,
        of rendition: RenditionID,
        after last: MediaSequenceNumber?,
        maximumCount: Int
    ) throws(PartError) {
        let open = slots.count { slot in last.map { $0 < slot.number } ?? true }
        if open > 0, let newest = slots.indices.last, slots[newest].number == part.number {
            let expected = slots[newest].parts.count
            guard part.index == expected, !(slots[newest].parts.last?.isLast ?? false) else {
                throw outOfSequence(part, after: last)
            }
            guard expected < maximumCount else { throw .tooMany(part.position) }
            slots[newest].append(ListedPart(part, entityTag: entityTag))
        } else {
            let isLater = [slots.last?.number, last].allSatisfy { number in number.map { $0 < part.number } ?? true }
            guard part.index == 0, isLater, last == nil || open < Self.maximumOpen else {
                throw outOfSequence(part, after: last)
            }
            if last == nil, open >= Self.maximumOpen { removeFirst(1) }
            var slot = Slot(part.number, of: rendition, opening: part.opening)
            slot.append(ListedPart(part, entityTag: entityTag))
            slots.append(slot)
        }
        byteCount += part.byteCount
    }

    private func outOfSequence(_ part: PublishedPart, after last: MediaSequenceNumber?) -> PartError {
        .outOfSequence(expected: next(after: last) ?? part.position, found: part.position)
    }

    /// Leaves the bytes of a slot's parts to its segment, if it consists of them for certain.
    mutating func leaveBytes(to segment: ListedSegment, of number: MediaSequenceNumber) {
        guard !segment.line.isGap, let index = slots.lastIndex(where: { $0.number == number }),
            !slots[index].parts.contains(where: \.isRestored)
        else { return }
        let count = slots[index].parts.reduce(0) { $0 + $1.ownByteCount }
        guard count == segment.byteCount else { return }
        var start = 0
        for part in slots[index].parts.indices {
            let size = slots[index].parts[part].ownByteCount
            slots[index].parts[part].leaveBytes(at: start..<start + size)
            start += size
        }
        byteCount -= count
    }

    /// Removes the parts of slots before this one.
    mutating func removeAll(before number: MediaSequenceNumber) {
        removeFirst(slots.prefix { $0.number < number }.count)
    }

    private mutating func removeFirst(_ count: Int) {
        for slot in slots.prefix(count) { byteCount -= slot.parts.reduce(0) { $0 + $1.ownByteCount } }
        slots.removeFirst(count)
    }
}

extension RenditionParts {
    /// - Parameter slots: Slots in order; an earlier process has published the first ones.
    init(restored slots: [Slot]) {
        self.init()
        self.slots = slots
        byteCount = slots.flatMap(\.parts).reduce(0) { $0 + $1.ownByteCount }
    }
}

/// A part as its playlist lists it, and the place of its bytes.
struct ListedPart: Sendable {
    let duration: SegmentDuration
    let isIndependent: Bool
    /// True if no part of its slot follows.
    let isLast: Bool
    /// True if an earlier process has made it: the segment that follows may have other bytes.
    let isRestored: Bool
    private(set) var content: Content
    /// The entity tag of its bytes; nil in a gap.
    let entityTag: String?
    /// The head that its bytes are sent with.
    let head = ServedHead.Place()

    enum Content: Sendable {
        /// The part's own bytes, until its segment has them.
        case own(ByteBuffer)
        /// Bytes of the segment.
        case segment(Range<Int>)
        case gap
    }

    init(_ part: PublishedPart, entityTag: String?) {
        (duration, isIndependent, isLast) = (part.duration, part.isIndependent, part.isLast)
        (isRestored, self.entityTag) = (false, entityTag)
        content =
            switch part.content {
            case .media(let bytes): .own(bytes)
            case .gap: .gap
            }
    }

    /// Makes a part that an earlier process has listed.
    init(_ saved: SavedPart, _ content: Content) {
        (duration, isIndependent, isLast) = (saved.duration, saved.isIndependent, saved.isLast)
        (isRestored, entityTag) = (true, saved.entityTag)
        self.content = content
    }

    var isGap: Bool { if case .gap = content { true } else { false } }

    /// The size in bytes; 0 in a gap.
    var byteCount: Int {
        switch content {
        case .own(let bytes): bytes.readableBytes
        case .segment(let range): range.count
        case .gap: 0
        }
    }

    /// The size of the bytes that no segment has.
    var ownByteCount: Int { if case .own(let bytes) = content { bytes.readableBytes } else { 0 } }

    fileprivate mutating func leaveBytes(at range: Range<Int>) {
        if case .own = content { content = .segment(range) }
    }
}
