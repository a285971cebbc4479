package import MediaCore
package import Playlists

/// A resource that a player requests.
package enum PlayerResource: Hashable, Sendable {
    case multivariantPlaylist
    case playlist(PlayerTrack)
    /// A segment, and before it its key and its media initialization section where the player has not got them yet.
    case segment(PlayerTrack, MediaSequenceNumber, MediaPlaylist.Segment)
}

extension PlayerResource: CustomStringConvertible {
    package var description: String {
        switch self {
        case .multivariantPlaylist: "multivariant playlist"
        case .playlist(let track): "\(track.rawValue) playlist"
        case .segment(let track, let number, _): "\(track.rawValue) segment \(number)"
        }
    }
}
