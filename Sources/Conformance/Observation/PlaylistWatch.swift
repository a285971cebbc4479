import MediaCore
import Playlists

/// Follows one media playlist by itself, played or not: its rules, and how old it gets.
struct PlaylistWatch: Sendable {
    /// The playlist's URI in the multivariant playlist.
    let name: String
    let url: String
    private var rules = PlaylistRules()
    private var age = PlaylistAge()
    private var requestedAt: MediaTime?
    private var isUnderWay = false
    private(set) var figures = ViewerReport.TrackFigures()

    init(name: String, url: String) {
        self.name = name
        self.url = url
    }

    /// Returns true if the next request is due, and counts it as sent.
    mutating func isDue(at now: MediaTime, period: MediaTime) -> Bool {
        guard !isUnderWay, requestedAt.map({ $0 + period <= now }) ?? true else { return false }
        isUnderWay = true
        requestedAt = now
        return true
    }

    mutating func playlistLoaded(_ playlist: MediaPlaylist, at now: MediaTime) -> [RuleViolation] {
        isUnderWay = false
        age.playlistLoaded(playlist, requestedAt: requestedAt ?? now, at: now)
        figures.longestPlaylistAge = age.longest.milliseconds
        figures.targetDuration = Int64(playlist.targetDuration) * 1000
        return rules.violations(of: playlist)
    }

    mutating func failed() {
        isUnderWay = false
    }
}
