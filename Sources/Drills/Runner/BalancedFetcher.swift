import Fetching
import Synchronization

/// A load balancer for a player: a request goes to any member, and to the next one after a failure.
///
/// A member that has failed is asked last for a while.
struct BalancedFetcher: Fetcher {
    private let members: [String]
    private let fetcher: any Fetcher
    private let choice: Choice

    private final class Choice: Sendable {
        /// The time for which a member is asked last.
        private static let rest = Duration.seconds(2)

        private let state: Mutex<(generator: SplitMix64, failures: [String: ContinuousClock.Instant])>

        init(seed: UInt64) {
            state = Mutex((SplitMix64(seed: seed), [:]))
        }

        func shuffled(_ members: [String]) -> [String] {
            let now = ContinuousClock.now
            return state.withLock { state in
                state.failures = state.failures.filter { now < $0.value + Self.rest }
                let shuffled = members.shuffled(using: &state.generator)
                return shuffled.filter { state.failures[$0] == nil } + shuffled.filter { state.failures[$0] != nil }
            }
        }

        func failed(_ member: String) {
            state.withLock { $0.failures[member] = .now }
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
                choice.failed(member)
            }
        }
        throw last
    }
}
