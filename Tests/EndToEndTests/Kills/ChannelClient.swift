import Fetching
import Foundation
import MediaCore
import Playlists
import Synchronization

/// A client that asks for everything that a packager offers, all the time, whether it lives or not.
final class ChannelClient: Sendable {
    private let packager: MortalPackager
    private let state = Mutex(Witness())

    init(_ packager: MortalPackager) {
        self.packager = packager
    }

    var witness: Witness { state.withLock { $0 } }

    /// Asks until its task is cancelled.
    func run() async {
        await OriginClient.withClient { client in
            var fetched: Set<String> = []
            var life = 0
            while !Task.isCancelled {
                if life != packager.life {
                    life = packager.life
                    fetched = []
                }
                await look(client, in: life, &fetched)
                // Nobody tells when there is something new, or a packager at all.
                try? await Task.sleep(for: .milliseconds(20))
            }
        }
    }

    /// Asks for all playlists, and for everything they name that was not asked for in this life.
    private func look(_ client: OriginClient, in life: Int, _ fetched: inout Set<String>) async {
        guard let index = await text("index.m3u8", client, in: life) else { return }
        packager.noteServed(in: life)
        for name in state.withLock({ $0.multivariantLoaded(index) }) {
            guard let text = await text(name, client, in: life) else { continue }
            // The newest first: it is what a kill is most likely to have hurt.
            for segment in state.withLock({ $0.playlistLoaded(name, text) }).reversed() {
                for path in segment.paths where !fetched.contains(path) {
                    guard let resource = await fetch(path, client, in: life, isDue: true) else { continue }
                    fetched.insert(path)
                    state.withLock { $0.resourceLoaded(path, of: segment, resource.body) }
                }
            }
        }
    }

    private func text(_ name: String, _ client: OriginClient, in life: Int) async -> String? {
        let isDue = state.withLock { $0.hasSeen(name) }
        return await fetch(name, client, in: life, isDue: isDue)?.text
    }

    /// Fetches a path, or returns nil; a failure is noted if the packager is alive and must have it (`isDue`).
    private func fetch(
        _ path: String,
        _ client: OriginClient,
        in life: Int,
        isDue: Bool
    ) async -> FetchedResource? {
        do throws(FetchError) {
            return try await client.fetch(packager.url + path)
        } catch {
            if case .connection = error { return nil }
            if isDue, !Task.isCancelled, life == packager.life { state.withLock { $0.missed(path, error, in: life) } }
            return nil
        }
    }
}
