import Conformance
import Fetching
import Foundation
import MediaCore
import NIOCore
import Playlists
import Synchronization

/// A crowd of viewers who request what players request, each for itself, and count failures.
///
/// No request is repeated: a player may tolerate a failure, but the operator wants to know of each.
final class Audience: Sendable {
    private let url: String
    private let viewers: Int
    private let clock: DrillClock
    private let state = Mutex(State())

    private struct State {
        var requests = 0
        var failures: [DrillRecord.Finding] = []
        /// The keys by their URIs: they never change.
        var keys: [String: Data] = [:]
    }

    /// The period of players of segments of a few seconds, with no two at the same moment.
    private static let period = Duration.seconds(1)

    /// Prepares the viewers; fails if there are none.
    ///
    /// - Parameters:
    ///   - url: The URL of the multivariant playlist.
    ///   - viewers: The number of viewers.
    ///   - clock: The clock of the drill.
    init?(of url: String, viewers: Int, clock: DrillClock) {
        guard viewers > 0 else { return nil }
        self.url = url
        self.viewers = viewers
        self.clock = clock
    }

    /// The requests of the viewers until now.
    var seen: DrillRecord.Audience {
        state.withLock { DrillRecord.Audience(viewers: viewers, requests: $0.requests, failures: $0.failures) }
    }

    /// Views until its task is cancelled; it begins when there is something to see.
    func run() async {
        let limits = OriginClient.Configuration(connectionsPerOrigin: viewers)
        await OriginClient.withClient(limits) { client in
            while !Task.isCancelled, clock.now < 0 { try? await Task.sleep(for: .milliseconds(50)) }
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<viewers { group.addTask { [self] in await view(number, client) } }
            }
        }
    }

    private func view(_ number: Int, _ client: OriginClient) async {
        try? await Task.sleep(for: Self.period * number / viewers)
        guard let text = await fetch(url, client)?.text, let playlist = try? MultivariantPlaylist(parsing: text),
            !playlist.variants.isEmpty
        else { return }
        let media = playlist.variants[number % playlist.variants.count].uri
        var newest: String?
        while !Task.isCancelled {
            if let uri = resolve(media, url), let text = await fetch(uri, client)?.text,
                let playlist = try? MediaPlaylist(parsing: text), let segment = playlist.segments.last,
                segment.uri != newest
            {
                newest = segment.uri
                if let uri = resolve(segment.uri, uri) { _ = await fetch(uri, client) }
                for key in segment.keys.compactMap({ resolve($0.uri, uri) }) where key.hasPrefix("http") {
                    if let bytes = await fetch(key, client).map({ Data($0.body.readableBytesView) }) {
                        compare(bytes, key)
                    }
                }
            }
            try? await Task.sleep(for: Self.period)
        }
    }

    private func compare(_ bytes: Data, _ key: String) {
        let before = state.withLock { state in
            defer { state.keys[key] = state.keys[key] ?? bytes }
            return state.keys[key]
        }
        if let before, before != bytes { failed("\(key) is another key than before") }
    }

    private func fetch(_ url: String, _ client: OriginClient) async -> FetchedResource? {
        do throws(FetchError) {
            let resource = try await client.fetch(url)
            state.withLock { $0.requests += 1 }
            return resource
        } catch {
            if !Task.isCancelled { failed("\(url): \(error)") }
            return nil
        }
    }

    private func failed(_ message: String) {
        let finding = DrillRecord.Finding(time: clock.now, message: message)
        state.withLock { $0.failures.append(finding) }
    }

    private func resolve(_ uri: String, _ base: String) -> String? {
        URL(string: base).flatMap { URL(string: uri, relativeTo: $0)?.absoluteString }
    }
}
