import Fetching

/// A cache for a player: it answers from its contents, and fetches the rest.
struct CachingFetcher: Fetcher {
    private let cache: EdgeCache
    private let fetcher: any Fetcher
    private let now: @Sendable () -> Int

    /// - Parameters:
    ///   - cache: The contents of the cache.
    ///   - fetcher: Fetches the objects that are not in the cache.
    ///   - now: Returns the time in milliseconds.
    init(_ cache: EdgeCache, through fetcher: any Fetcher, now: @escaping @Sendable () -> Int) {
        (self.cache, self.fetcher, self.now) = (cache, fetcher, now)
    }

    func fetch(_ url: String) async throws(FetchError) -> FetchedResource {
        guard let life = cache.life else { throw .connection("there is no cache") }
        if let kept = cache.resource(at: url, now: now()) { return kept }
        let resource = try await fetcher.fetch(url)
        guard cache.keep(resource, of: url, life: life, now: now()) else { throw .connection("the cache was killed") }
        return resource
    }
}
