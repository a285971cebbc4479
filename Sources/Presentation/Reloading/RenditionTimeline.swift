import MediaCore
import Playlists

/// A published rendition: its playlist with the lines of it, and the parts of its newest slots.
///
/// The window of slots belongs to the channel, because all renditions share it. Parts may come before the rendition's
/// first playlist, which then lists them.
struct RenditionTimeline: Sendable {
    /// The playlist that is in place; nil before the first.
    private(set) var playlist: RenderedPlaylist?
    /// The parts that are served, and those that no playlist lists yet.
    private(set) var parts: RenditionParts

    /// - Parameter parts: The parts that an earlier process has told.
    init(_ parts: RenditionParts = RenditionParts()) {
        self.parts = parts
    }

    /// The newest slot that is listed as a whole.
    var last: MediaSequenceNumber? { playlist?.end }

    /// True if the playlist does not list all parts yet.
    var isBehind: Bool { playlist.map { $0.openPartCount < parts.count(of: $0.end.next) } ?? false }

    /// Appends a part (``RenditionParts/append(_:entityTag:of:after:maximumCount:)``).
    mutating func append(
        _ part: PublishedPart,
        entityTag: String?,
        of rendition: RenditionID,
        after last: MediaSequenceNumber?,
        _ terms: LowLatency
    ) throws(PartError) {
        try parts.append(part, entityTag: entityTag, of: rendition, after: last, maximumCount: terms.maximumCount)
    }

    /// Leaves the bytes of a slot's parts to its segment.
    mutating func leaveBytes(to segment: ListedSegment, of number: MediaSequenceNumber) {
        parts.leaveBytes(to: segment, of: number)
    }

    /// Installs a playlist, unless there is a newer one, and forgets parts that are no longer served.
    ///
    /// - Returns: True if it was installed.
    mutating func show(_ playlist: RenderedPlaylist, _ terms: LowLatency?) -> Bool {
        if let shown = self.playlist, shown.rendering >= playlist.rendering { return false }
        self.playlist = playlist
        if let terms { parts.removeAll(before: MediaSequenceNumber(playlist.end.value - terms.servedSlots)) }
        return true
    }

    /// Returns true if the playlist has the segment or part, or a later one; a playlist that may never be there has all.
    func reaches(_ position: PlaylistPosition) -> Bool {
        guard let playlist else { return true }
        let position = existing(position)
        if position.number <= playlist.end { return true }
        guard let part = position.part, position.number == playlist.end.next else { return false }
        return part < playlist.openPartCount
    }

    /// Returns true if the position is so far ahead that the request must be an error; parts last for `partTarget` at
    /// most, if there are any.
    func isTooFar(_ position: PlaylistPosition, partTarget: MediaTime?) -> Bool {
        guard let playlist else { return false }
        let position = existing(position)
        guard position.number.value <= playlist.end.value + Self.advanceLimit else { return true }
        guard let part = position.part, position.number > playlist.end else { return false }
        let count = position.number == playlist.end.next ? playlist.openPartCount : 0
        return part >= count + Self.advancePartLimit(partTarget)
    }

    /// Returns the availability of a part; a part that a playlist hints at may be requested early (RFC 8216bis § 4.4.5.3).
    func availability(of position: PlaylistPosition) -> PartAvailability {
        if parts[position] != nil { return .exists }
        // The hint at the part after the last one of a segment is followed by that at the first one of the next.
        guard let playlist, playlist.hasParts, let next = parts.next(after: playlist.end) else { return .never }
        let isFirstOfNext = next.part != 0 && position == PlaylistPosition(next.number.next, part: 0)
        return position == next || isFirstOfNext ? .awaited : .never
    }

    /// Returns the position itself, or the first part of the next segment for a part beyond the last one of a segment
    /// (RFC 8216bis § 6.2.5.2).
    func existing(_ position: PlaylistPosition) -> PlaylistPosition {
        guard let last, position.number == last, let part = position.part, case let count = parts.count(of: last),
            count > 0, part >= count
        else { return position }
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
