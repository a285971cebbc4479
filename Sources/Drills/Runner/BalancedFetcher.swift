import Fetching
import Synchronization

/// A load balancer for a player: any request goes to any member, and to the next where one fails.
struct BalancedFetcher: Fetcher {
    private let members: [String]
    private let fetcher: any Fetcher
    private let choice: Choice

    private final class Choice: Sendable {
        private let generator: Mutex<SplitMix64>

        init(seed: UInt64) {
            generator = Mutex(SplitMix64(seed: seed))
        }

        func shuffled(_ members: [String]) -> [String] {
            generator.withLock { members.shuffled(using: &$0) }
        }
    }

    /// - Parameters:
    ///   - members: Origins, such as `http://127.0.0.1:8080`; the player knows the first.
    ///   - fetcher: Gets from one of them.
    ///   - seed: The seed of the choice.
    init(_ members: [String], through fetcher: any Fetcher, seed: UInt64 = 0) {
        self.members = members
        self.fetcher = fetcher
        choice = Choice(seed: seed)
    }

    func fetch(_ url: String) async throws(FetchError) -> FetchedResource {
        guard let known = members.first, url.hasPrefix(known) else { return try await fetcher.fetch(url) }
        var last = FetchError.invalidURL(url)
        for member in choice.shuffled(members) {
            do {
                var resource = try await fetcher.fetch(member + url.dropFirst(known.count))
                // The player must not learn who answered.
                resource.url = url
                return resource
            } catch {
                if error == .cancelled { throw error }
                last = error
            }
        }
        throw last
    }
}
