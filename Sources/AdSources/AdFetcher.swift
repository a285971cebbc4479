package import Fetching

/// Gets what servers of advertisements answer: soon, and no more than a list takes.
package struct AdFetcher: Fetcher {
    private let limits: OriginClient.Configuration

    /// - Parameter timeout: For each answer.
    package init(timeout: Duration) {
        limits = OriginClient.Configuration(connectTimeout: timeout, timeout: timeout, maximumBytes: 1 << 20)
    }

    package func fetch(_ url: String) async throws(FetchError) -> FetchedResource {
        try await OriginClient.withClient(limits) { client throws(FetchError) in try await client.fetch(url) }
    }
}
