import Fetching
import MediaCore
import Synchronization

/// The contents of a cache in front of the packagers, which the drill kills and replaces.
///
/// A cache that is killed loses all that it has, and the requests that it has sent. The one that takes its place begins
/// empty.
final class EdgeCache: Sendable {
    /// Lifetimes in milliseconds.
    private let playlistLifetime: Int
    private static let mediaLifetime = 60_000

    private let state = Mutex(State())

    private struct State {
        var isRunning = true
        /// The number of this cache among those that took each other's place.
        var life = 0
        var entries: [String: Entry] = [:]
    }

    private struct Entry {
        var resource: FetchedResource
        /// The time from which on it is asked for again.
        var expiry: Int
    }

    /// - Parameter playlistLifetime: The time for which a playlist is kept.
    init(playlistLifetime: MediaTime) {
        self.playlistLifetime = Int(playlistLifetime.milliseconds)
    }

    /// The number of the cache that runs; nil if none does.
    var life: Int? { state.withLock { $0.isRunning ? $0.life : nil } }

    /// Returns the resource kept for a URL.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - now: The time in milliseconds.
    /// - Returns: The resource; nil if there is none, or its time is over.
    func resource(at url: String, now: Int) -> FetchedResource? {
        state.withLock { state in
            guard let entry = state.entries[url], entry.expiry > now else { return nil }
            return entry.resource
        }
    }

    /// Keeps the answer to a request.
    ///
    /// - Parameters:
    ///   - resource: The answer.
    ///   - url: The URL that was asked for.
    ///   - life: The cache that sent the request.
    ///   - now: The time in milliseconds.
    /// - Returns: False if that cache was killed meanwhile.
    func keep(_ resource: FetchedResource, of url: String, life: Int, now: Int) -> Bool {
        let isPlaylist = url.prefix { $0 != "?" }.hasSuffix(".m3u8")
        let expiry = now + (isPlaylist ? playlistLifetime : Self.mediaLifetime)
        return state.withLock { state in
            guard state.isRunning, state.life == life else { return false }
            state.entries = state.entries.filter { $0.value.expiry > now }
            state.entries[url] = Entry(resource: resource, expiry: expiry)
            return true
        }
    }

    func kill() {
        state.withLock { state in
            state.isRunning = false
            state.entries = [:]
        }
    }

    /// Starts another one in its place.
    func replace() {
        state.withLock { state in
            state.life += 1
            state.isRunning = true
        }
    }
}
