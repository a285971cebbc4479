import Fetching
import MediaCore
import NIOCore
import Playlists

/// The state of an observation: a player, a watch on every media playlist, and the bytes of every segment played.
///
/// It turns answers into the next requests, and does neither itself.
struct ObservationSession: Sendable {
    /// A request, with everything that it takes to make it.
    enum Request: Hashable, Sendable {
        case player(PlayerResource, urls: [String])
        case watch(index: Int, url: String)
    }

    /// The answer to a request: the resource of the last URL, or the reason why one of them could not be loaded.
    struct Answer: Sendable {
        var request: Request
        var result: Result<FetchedResource, FetchError>
    }

    private struct PlayedPlaylist {
        var name: String
        var url: String
        /// The URL where the last version was found.
        var base: String
        var keys: [EncryptionKey] = []
        var map: MediaInitialization?
    }

    private var player: PlayerModel
    private let url: String
    private let watchPeriod: MediaTime?
    private var played: [PlayerTrack: PlayedPlaylist] = [:]
    /// The video playlist of each variant, each once.
    private var variants: [PlayedPlaylist] = []
    private var watches: [PlaylistWatch] = []
    private var ledger = SegmentLedger()

    init(_ url: String, player: PlayerModel.Configuration, watchPeriod: MediaTime?, at now: MediaTime) {
        self.url = url
        self.watchPeriod = watchPeriod
        self.player = PlayerModel(player, at: now)
    }

    var report: ViewerReport {
        var report = player.report
        for watch in watches { report.playlistAges[watch.name] = watch.figures }
        return report
    }

    mutating func takeEvents() -> [ViewerEvent] { player.takeEvents() }

    // MARK: Events

    mutating func timeAdvanced(to now: MediaTime) -> [Request] {
        let due = player.timeAdvanced(to: now)
        return requests(due) + dueWatches(at: now)
    }

    mutating func answered(_ answer: Answer, at now: MediaTime) -> [Request] {
        switch (answer.request, answer.result) {
        case (.player(let resource, _), .success(let body)):
            // Requests depend on the loaded playlist, so they are made after it.
            let due = loaded(resource, body, at: now)
            return requests(due)
        case (.player(let resource, _), .failure(let error)):
            let due = player.failed(resource, error, at: now)
            return requests(due)
        case (.watch(let index, _), .success(let body)): watchLoaded(index, body, at: now)
        case (.watch(let index, _), .failure): watches[index].failed()
        }
        return []
    }

    private mutating func loaded(
        _ resource: PlayerResource,
        _ body: FetchedResource,
        at now: MediaTime
    ) -> [PlayerResource] {
        switch resource {
        case .multivariantPlaylist:
            do {
                let tracks = choose(from: try MultivariantPlaylist(parsing: body.text), at: body.url)
                return player.multivariantLoaded(tracks: tracks, variants: variants.count, at: now)
            } catch {
                return player.multivariantMalformed(error, at: now)
            }
        case .playlist(let track):
            played[track]?.base = body.url
            do {
                return player.playlistLoaded(track, try MediaPlaylist(parsing: body.text), at: now)
            } catch {
                return player.playlistMalformed(track, error, at: now)
            }
        case .segment(let track, let number, let segment):
            let due = player.segmentLoaded(track, number, segment, at: now)
            played[track]?.keys = segment.keys
            played[track]?.map = segment.map
            if let name = played[track]?.name, ledger.segmentLoaded(name, number, body.body) {
                player.enter(.segmentChanged(playlist: name, number))
            }
            return due
        }
    }

    private mutating func watchLoaded(_ index: Int, _ body: FetchedResource, at now: MediaTime) {
        do {
            let playlist = try MediaPlaylist(parsing: body.text)
            for violation in watches[index].playlistLoaded(playlist, at: now) {
                player.enter(.ruleBroken(playlist: watches[index].name, violation))
            }
        } catch {
            watches[index].failed()
            player.enter(.ruleBroken(playlist: watches[index].name, RuleViolation(error)))
        }
    }

    /// Plays the first variant with the default rendition of its audio group, keeps those in reserve that have the same
    /// group, and watches everything.
    private mutating func choose(from playlist: MultivariantPlaylist, at base: String) -> [PlayerTrack] {
        let names = playlist.variants.map(\.uri) + playlist.renditions.compactMap(\.uri) + playlist.subtitles.map(\.uri)
        var seen: Set<String> = []
        watches = names.filter { seen.insert($0).inserted }.map { name in
            PlaylistWatch(name: name, url: name.resolved(against: base))
        }
        let variant = playlist.variants.first
        let group = playlist.renditions.filter { $0.groupID == variant?.audioGroup }
        let audio = (group.first(where: \.isDefault) ?? group.first)?.uri
        func playedPlaylist(_ name: String) -> PlayedPlaylist {
            let url = name.resolved(against: base)
            return PlayedPlaylist(name: name, url: url, base: url)
        }
        variants = playlist.variants.filter { $0.audioGroup == variant?.audioGroup }.map { playedPlaylist($0.uri) }
        played[.video] = variants.first
        played[.audio] = audio.map(playedPlaylist)
        return PlayerTrack.allCases.filter { played[$0] != nil }
    }

    // MARK: Requests

    private mutating func requests(_ due: [PlayerResource]) -> [Request] {
        // If the player has switched to another variant, it is about that one.
        if variants.indices.contains(player.variant), played[.video]?.name != variants[player.variant].name {
            played[.video] = variants[player.variant]
        }
        return due.map { .player($0, urls: urls(of: $0)) }
    }

    private func urls(of resource: PlayerResource) -> [String] {
        switch resource {
        case .multivariantPlaylist: return [url]
        case .playlist(let track): return played[track].map { [$0.url] } ?? []
        case .segment(let track, _, let segment):
            guard let playlist = played[track] else { return [] }
            var references: [String] = []
            // A player needs the key and the initialization section first, once.
            if let key = segment.keys.identity, !playlist.keys.contains(key) {
                references.append(key.uri)
            }
            if let map = segment.map, map != playlist.map { references.append(map.uri) }
            return (references + [segment.uri]).map { $0.resolved(against: playlist.base) }
        }
    }

    private mutating func dueWatches(at now: MediaTime) -> [Request] {
        guard let watchPeriod else { return [] }
        return watches.indices.filter { watches[$0].isDue(at: now, period: watchPeriod) }.map {
            .watch(index: $0, url: watches[$0].url)
        }
    }
}
