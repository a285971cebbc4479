package import Fetching
import NIOCore
import NIOHTTP1

/// Gets what servers of advertisements answer: soon, no more than a list takes, and nothing from where they may not be.
package struct AdFetcher: Fetcher {
    private let timeout: Duration
    private let reach: AdReach

    private static let maximumBytes = 1 << 20
    private static let mostRedirects = 5

    /// - Parameters:
    ///   - timeout: For each answer.
    ///   - reach: Decides whose address may be private, also where a redirect leads.
    package init(timeout: Duration, reach: AdReach) {
        (self.timeout, self.reach) = (timeout, reach)
    }

    package func fetch(_ url: String) async throws(FetchError) -> FetchedResource {
        var url = url
        for _ in 0...Self.mostRedirects {
            let limits = OriginClient.Configuration(
                connectTimeout: timeout,
                timeout: timeout,
                maximumBytes: Self.maximumBytes,
                followsRedirects: false,
                refusesPrivateAddresses: !reach.mayBePrivate(url)
            )
            let answer = try await OriginClient.withClient(limits) { [url] client throws(FetchError) in
                try await client.send(nil, to: url, [:])
            }
            if answer.status == 200 { return FetchedResource(url: url, body: answer.body) }
            guard let next = answer.redirect(from: url) else { throw .status(answer.status) }
            url = next
        }
        throw .connection("there are more than \(Self.mostRedirects) redirects")
    }
}
