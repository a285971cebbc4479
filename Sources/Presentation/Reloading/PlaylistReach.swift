import Playlists

/// The progress of a channel's playlists, which decides on the waiters.
struct PlaylistReach: Sendable {
    var isStartable: Bool
    /// True if nothing more will come; a playlist with EXT-X-ENDLIST is never waited for (RFC 8216bis § 6.2.5.2).
    var isEnded: Bool
    var timelines: [RenditionID: RenditionTimeline]

    /// Returns true if the wait for a condition is over; an unlisted rendition is not waited for, because it may never
    /// be listed.
    func meets(_ condition: PlaylistCondition) -> Bool {
        switch condition {
        case .startable: isStartable
        case .reaches(let id, let position): isEnded || timelines[id].map { $0.reaches(position) } ?? true
        case .decides(let id, let position):
            isEnded || timelines[id].map { $0.availability(of: position) != .awaited } ?? true
        }
    }

    /// Returns the answer to a request for a part.
    func part(_ id: RenditionID, at position: PlaylistPosition) -> BlockedReload {
        guard let timeline = timelines[id] else { return .tooFar }
        let availability = timeline.availability(of: position)
        if availability == .exists { return .ready }
        if isEnded { return .never }
        if availability == .awaited { return .waiting(.decides(id, position)) }
        guard let last = timeline.last, position.number <= last else { return .tooFar }
        return .never
    }
}
