import Conformance
import Fetching
import Foundation
import MediaCore
import Playlists
import Synchronization

/// Asks one origin for all its playlists again and again.
final class PlaylistWatcher: Sendable {
    private let url: String
    private let fetcher: any Fetcher
    private let clock: DrillClock
    private let period: Duration
    private let collector = Mutex(SlotCollector())

    /// - Parameters:
    ///   - url: The URL of the multivariant playlist.
    ///   - fetcher: Gets it, and the playlists that it names.
    ///   - clock: The clock of the drill.
    ///   - period: Between rounds.
    init(_ url: String, through fetcher: any Fetcher, clock: DrillClock, period: Duration) {
        self.url = url
        self.fetcher = fetcher
        self.clock = clock
        self.period = period
    }

    /// The slots that were seen so far.
    var collected: SlotCollector {
        var copy = collector.withLock { $0 }
        copy.finish(at: clock.now)
        return copy
    }

    /// True if all renditions list enough for a player to start.
    var hasWindow: Bool { collector.withLock { $0.hasWindow } }

    /// Watches until its task is cancelled.
    func run() async {
        var uris: [String] = []
        while !Task.isCancelled {
            if uris.isEmpty { uris = await mediaPlaylists() }
            for uri in uris { await watch(uri) }
            try? await Task.sleep(for: period)
        }
    }

    /// Returns the URIs of the media playlists; empty if the origin does not answer yet.
    private func mediaPlaylists() async -> [String] {
        guard let resource = try? await fetcher.fetch(url),
            let playlist = try? MultivariantPlaylist(parsing: resource.text)
        else { return [] }
        collector.withLock { $0.multivariantLoaded(playlist) }
        // A video is named once for each group of audio that goes with it.
        var seen: Set<String> = []
        let uris = playlist.variants.map(\.uri) + playlist.renditions.compactMap(\.uri) + playlist.subtitles.map(\.uri)
        return uris.filter { seen.insert($0).inserted }
    }

    /// Watches one media playlist; one that cannot be read counts as no answer, since its faults are for the player to
    /// report.
    private func watch(_ uri: String) async {
        let requested = clock.now
        guard let base = URL(string: url), let absolute = URL(string: uri, relativeTo: base)?.absoluteString,
            let resource = try? await fetcher.fetch(absolute),
            let playlist = try? MediaPlaylist(parsing: resource.text)
        else { return }
        let now = clock.now
        collector.withLock { collector in
            collector.playlistLoaded(uri, playlist, requested: requested, now: now, clock: clock)
        }
    }
}
