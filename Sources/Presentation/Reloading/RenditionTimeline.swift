import MediaCore

/// One rendition as viewers have it: its playlist with the lines that it consists of, the newest slot that is whole, and
/// the parts of the one that is open.
///
/// The window of slots is the channel's, since all renditions have the same.
struct RenditionTimeline: Sendable {
    /// The playlist that is in place; it has a generation of its own.
    private(set) var playlist: RenderedPlaylist?
    /// The newest slot that is whole.
    private(set) var last: MediaSequenceNumber
    /// The number of parts that it was published in; 0 if it was published as a whole.
    private var lastPartCount = 0
    /// The parts of the slot after it, oldest first.
    private(set) var parts: [PublishedPart] = []

    /// The bytes of the parts.
    var byteCount: Int { parts.reduce(0) { $0 + $1.byteCount } }

    init(last: MediaSequenceNumber) {
        self.last = last
    }

    /// Appends a part to the open slot.
    ///
    /// - Throws: ``PartError/outOfSequence(expected:found:)``; then nothing has changed.
    mutating func append(_ part: PublishedPart) throws(PartError) {
        let expected = PlaylistPosition(last.next, part: parts.count)
        guard part.position == expected else { throw .outOfSequence(expected: expected, found: part.position) }
        parts.append(part)
    }

    /// Puts a playlist in place, which closes the open slot where it lists it.
    mutating func show(_ playlist: RenderedPlaylist) {
        self.playlist = playlist
        complete(playlist.end)
    }

    /// Closes the open slot: it is listed as a whole, as is what came before it.
    mutating func complete(_ number: MediaSequenceNumber) {
        guard number > last else { return }
        lastPartCount = number == last.next ? parts.count : 0
        parts = []
        last = number
    }

    /// Returns true if the playlist has the segment or part, or a later one.
    func reaches(_ position: PlaylistPosition) -> Bool {
        let position = existing(position)
        if position.number <= last { return true }
        guard let part = position.part, position.number == last.next else { return false }
        return part < parts.count
    }

    /// Returns true if the position is so far ahead that the request must be an error; parts last for `partTarget` at
    /// most, if there are any.
    func isTooFar(_ position: PlaylistPosition, partTarget: MediaTime?) -> Bool {
        let position = existing(position)
        guard position.number.value <= last.value + Self.advanceLimit else { return true }
        guard let part = position.part, position.number > last else { return false }
        let count = position.number == last.next ? parts.count : 0
        return part >= count + Self.advancePartLimit(partTarget)
    }

    /// Returns the position itself, or the first part of the next segment for a part beyond the last one of a segment
    /// (RFC 8216bis § 6.2.5.2).
    private func existing(_ position: PlaylistPosition) -> PlaylistPosition {
        guard position.number == last, let part = position.part, lastPartCount > 0, part >= lastPartCount else {
            return position
        }
        return PlaylistPosition(last.next, part: 0)
    }

    /// The number of segments after the last one that may be asked for (RFC 8216bis § 6.2.5.2).
    private static let advanceLimit: Int64 = 2

    /// Returns the number of parts after the last one that may be asked for: three seconds of them, or three (RFC
    /// 8216bis § 6.2.5.2).
    private static func advancePartLimit(_ partTarget: MediaTime?) -> Int {
        let second = MediaTime.timescale
        guard let target = partTarget?.ticks, (1..<second).contains(target) else { return 3 }
        return Int((3 * second + target - 1) / target)
    }
}
