import MediaCore
import NIOCore
import Playlists

/// Parts of slots that are not over, and the playlists that follow from them.
extension Presentation.State {
    /// The most timelines, far more than a channel has renditions.
    static let maximumTimelines = 256

    /// Appends a part to its rendition's timeline.
    ///
    /// - Parameters:
    ///   - part: The part.
    ///   - entityTag: The entity tag of its bytes.
    ///   - id: The rendition, which need not have a playlist yet.
    /// - Returns: The playlist that follows; nil if none lists the part yet.
    /// - Throws: ``PartError``; then nothing has changed.
    mutating func append(
        _ part: PublishedPart,
        entityTag: String?,
        of id: RenditionID
    ) throws(PartError) -> PendingPlaylist? {
        if isEnded { throw .ended }
        guard let lowLatency, timelines[id] != nil || timelines.count < Self.maximumTimelines else {
            throw .notListed(id)
        }
        var timeline = timelines[id] ?? RenditionTimeline()
        // Until a playlist lists them, slots that are over need not be known.
        let last = timeline.playlist == nil ? nil : window.lastNumber
        try timeline.append(part, entityTag: entityTag, of: id, after: last, lowLatency)
        timelines[id] = timeline
        return timeline.isBehind ? pendingPlaylist(of: id) : nil
    }

    /// Returns the playlists that lack parts, since these came while all playlists were rendered.
    mutating func playlistsBehind() -> [PendingPlaylist] {
        if lowLatency == nil { return [] }
        return timelines.keys.filter { timelines[$0]?.isBehind ?? false }.map { pendingPlaylist(of: $0) }
    }

    private mutating func pendingPlaylist(of id: RenditionID) -> PendingPlaylist {
        PendingPlaylist(rendition: id, state: forRendering())
    }

    /// Installs the playlist of a rendition, unless there is a newer one, or the rendition has gone.
    mutating func install(_ playlist: RenderedPlaylist, of id: RenditionID) {
        if timelines[id]?.playlist != nil { show(playlist, of: id) }
    }

    /// Puts all media playlists in place, where no newer ones are.
    mutating func install(_ playlists: [RenditionID: RenderedPlaylist]) {
        for id in timelines.keys where playlists[id] == nil && !awaitsPlaylist(id) { timelines[id] = nil }
        for (id, playlist) in playlists { show(playlist, of: id) }
    }

    private mutating func show(_ playlist: RenderedPlaylist, of id: RenditionID) {
        guard timelines[id, default: RenditionTimeline()].show(playlist, lowLatency) else { return }
        resources.replace(id.playlistPath, with: Resource(.mediaPlaylist, playlist: playlist.text))
    }

    /// True if a rendition has parts of slots to come, and no playlist yet.
    private func awaitsPlaylist(_ id: RenditionID) -> Bool {
        guard let timeline = timelines[id], timeline.playlist == nil, let last = window.lastNumber else { return false }
        return timeline.parts.slots.last.map { $0.number > last } ?? false
    }

    /// Notes the date ranges that a new window lacks.
    mutating func noteRanges(in next: Window) {
        guard let lowLatency, let end = next.end else { return }
        removedRanges.note(window.dateRanges, next.dateRanges, at: end, keeping: lowLatency.skipBoundary)
    }

    /// True if a slot, or some of it, has been told in parts.
    func hasParts(_ number: MediaSequenceNumber) -> Bool { timelines.values.contains { $0.parts[number] != nil } }

    /// Returns the lines above the parts of a slot, with keys and map of its own; nil if there are none.
    func openingOfParts(of id: RenditionID, in number: MediaSequenceNumber) -> PublishedPart.Opening? {
        timelines[id]?.parts[number]?.opening.flatMap { $0.initialization == nil ? nil : $0 }
    }

    /// Returns the initialization sections of gaps whose first parts had media, by their paths.
    func sectionsOfParts(of slot: ListedSlot) -> [String: ByteBuffer] {
        var sections: [String: ByteBuffer] = [:]
        for (id, segment) in slot.segments where segment.line.isGap {
            guard let map = segment.line.map, let section = openingOfParts(of: id, in: slot.number)?.initialization
            else {
                continue
            }
            sections[map.uri] = section.bytes
        }
        return sections
    }
}
