import MediaCore
import Playlists

/// The time that one media playlist provably goes without a new segment, by a client's requests.
///
/// A request that finds nothing new proves that nothing came between the last answer with a new segment and that
/// request. How much longer it took is unknown, and is not guessed. The more frequent the requests, the closer the
/// proof comes to the truth (RFC 8216bis § 6.2.1: at most 1.5 target durations).
struct PlaylistAge: Hashable, Sendable {
    /// The time when the last gain was seen; nil before any, and once the playlist has ended.
    private(set) var gainedAt: MediaTime?
    /// The longest time without a new segment.
    private(set) var longest = MediaTime.zero
    private var end: MediaSequenceNumber?

    init() {}

    /// Takes an answer.
    ///
    /// - Parameters:
    ///   - playlist: The playlist of the answer.
    ///   - requestedAt: The time of the request, in UTC.
    ///   - now: The time of the answer, in UTC.
    mutating func playlistLoaded(_ playlist: MediaPlaylist, requestedAt: MediaTime, at now: MediaTime) {
        if end.map({ playlist.end > $0 }) ?? true {
            end = playlist.end
            gainedAt = now
        } else if let gainedAt {
            longest = max(longest, requestedAt - gainedAt)
        }
        if playlist.isEnded { gainedAt = nil }
    }
}
