package import Fetching
import NIOCore
import NIOHTTP1

/// Fetches from ad servers, with limits on time, size and addresses.
package struct AdFetcher: Fetcher {
    private let timeout: Duration
    private let reach: AdReach

    private static let maximumBytes = 1 << 20

    /// - Parameters:
    ///   - timeout: For each answer.
    ///   - reach: Decides whose address may be private, also where a redirect leads.
    package init(timeout: Duration, reach: AdReach) {
        (self.timeout, self.reach) = (timeout, reach)
    }

    package func fetch(_ url: String) async throws(FetchError) -> FetchedResource {
        let fetcher = GuardedFetcher(redirecting: reach.allows) { [timeout, reach] url throws(FetchError) in
            // Each server that a redirect names is checked again.
            let limits = OriginClient.Configuration(
                connectTimeout: timeout,
                timeout: timeout,
                maximumBytes: Self.maximumBytes,
                followsRedirects: false,
                refusesPrivateAddresses: !reach.mayBePrivate(url)
            )
            return try await OriginClient.withClient(limits) { client throws(FetchError) in
                try await client.send(nil, to: url, [:])
            }
        }
        return try await fetcher.fetch(url)
    }
}
