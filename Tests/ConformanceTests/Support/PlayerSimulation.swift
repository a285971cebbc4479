import Fetching
import MediaCore
import Playlists

@testable import Conformance

/// Plays a simulated origin on a manual clock; every request takes 100 ms.
struct PlayerSimulation {
    /// A slot boundary.
    static let start = MediaTime(seconds: 1_800_000_000)
    /// The slot that begins at ``start``.
    static let slot = start.ticks / (RollingPlaylist.slot * MediaTime.timescale)

    private static let step = MediaTime(milliseconds: 50)
    private static let latency = MediaTime(milliseconds: 100)

    var tracks: [PlayerTrack] = [.video, .audio]
    /// The playlist by track and seconds since ``start``.
    var playlist: (PlayerTrack, Double) -> Result<MediaPlaylist, FetchError>
    /// The gaps of each of several variants; empty for one.
    var variants: [Set<Int64>] = []
    /// The reason why a segment cannot be had.
    var segment: (PlayerTrack, Int64, Double) -> FetchError? = { _, _, _ in nil }

    /// A stream without faults, changed by `change`.
    init(_ change: (inout RollingPlaylist) -> Void = { _ in }) {
        var stream = RollingPlaylist()
        change(&stream)
        playlist = { track, seconds in
            var stream = stream
            stream.track = track.rawValue
            return .success(stream.playlist(at: Self.time(seconds)))
        }
    }

    static func time(_ seconds: Double) -> MediaTime { start + MediaTime(milliseconds: Int64(seconds * 1000)) }

    /// Plays so long, from 1 s after a slot boundary on.
    ///
    /// - Returns: The player at the end, and what happened, each after the seconds since ``start``.
    func run(seconds: Double) -> (player: PlayerModel, events: [String]) {
        var now = Self.time(1)
        var player = PlayerModel(at: now)
        var pending: [(at: MediaTime, resource: PlayerResource)] = []
        var events: [String] = []
        func note() {
            events += player.takeEvents().map { "\(($0.at - Self.start).seconds): \($0)" }
        }
        while now < Self.time(1 + seconds) {
            now += Self.step
            var due = player.timeAdvanced(to: now)
            while let index = pending.firstIndex(where: { $0.at <= now }) {
                due += answer(pending.remove(at: index).resource, &player, now)
            }
            pending += due.map { (now + Self.latency, $0) }
            note()
        }
        return (player, events)
    }

    private func answer(_ resource: PlayerResource, _ player: inout PlayerModel, _ now: MediaTime) -> [PlayerResource] {
        let seconds = (now - Self.start).seconds
        switch resource {
        case .multivariantPlaylist:
            return player.multivariantLoaded(tracks: tracks, variants: max(variants.count, 1), at: now)
        case .playlist(.video) where !variants.isEmpty:
            let (name, gaps) = ("video-\(player.variant + 1)", variants[player.variant])
            let stream = RollingPlaylist(track: name, gaps: gaps)
            return player.playlistLoaded(.video, stream.playlist(at: now), at: now)
        case .playlist(let track):
            switch playlist(track, seconds) {
            case .success(let playlist): return player.playlistLoaded(track, playlist, at: now)
            case .failure(let error): return player.failed(resource, error, at: now)
            }
        case .segment(let track, let number, let listed):
            if let error = segment(track, number.value, seconds) { return player.failed(resource, error, at: now) }
            return player.segmentLoaded(track, number, listed, at: now)
        }
    }
}
