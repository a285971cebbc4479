import Playlists

/// How far the playlists of a channel have got: what waiters are told by.
struct PlaylistReach: Sendable {
    var isStartable: Bool
    /// Nothing more will come (RFC 8216bis § 6.2.5.2: a playlist with EXT-X-ENDLIST is never waited for).
    var isEnded: Bool
    var timelines: [RenditionID: RenditionTimeline]

    /// Whether there is nothing to wait for any more; so it is with what is not listed, which may never be.
    func meets(_ condition: PlaylistCondition) -> Bool {
        switch condition {
        case .startable: isStartable
        case .reaches(let id, let position): isEnded || timelines[id].map { $0.reaches(position) } ?? true
        }
    }
}
