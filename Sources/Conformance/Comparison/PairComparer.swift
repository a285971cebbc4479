package import Fetching

/// Compares the streams of two origins for some time.
package struct PairComparer: Sendable {
    private let urls: (first: String, second: String)
    private let fetcher: any Fetcher

    /// - Parameters:
    ///   - first: URL of a multivariant playlist.
    ///   - second: URL of the same multivariant playlist at another origin.
    ///   - fetcher: Gets both, and everything that they name.
    package init(_ first: String, _ second: String, through fetcher: any Fetcher) {
        urls = (first, second)
        self.fetcher = fetcher
    }

    /// Compares until `duration` is over or the task is cancelled, at least everything listed at the start.
    ///
    /// - Parameters:
    ///   - duration: Zero: one pass over both windows.
    ///   - period: Between passes.
    ///   - progress: Called with the counts after every pass.
    /// - Returns: The findings.
    /// - Throws: ``FetchError`` if one of the multivariant playlists cannot be loaded in all that time.
    package func run(
        for duration: Duration,
        every period: Duration = .seconds(1),
        progress: (PairResult) -> Void = { _ in }
    ) async throws(FetchError) -> PairResult {
        let end = ContinuousClock.now + duration
        var comparison = PairComparison()
        let origins = try await multivariantPlaylists(until: end, every: period)
        let names = comparison.multivariantLoaded(origins.first.text, origins.second.text)
        while true {
            for name in names { await compare(name, origins, in: &comparison) }
            progress(comparison.result)
            guard ContinuousClock.now + period <= end, (try? await Task.sleep(for: period)) != nil else { break }
        }
        return comparison.result
    }

    private typealias Pair<Value> = (first: Value, second: Value)

    /// The number of times that texts that differ are looked at again: session keys come and go with the window, and
    /// one of a pair may be a little ahead.
    private static let looks = 5

    private func multivariantPlaylists(
        until end: ContinuousClock.Instant,
        every period: Duration
    ) async throws(FetchError) -> Pair<FetchedResource> {
        var looks = 0
        while true {
            let (first, second) = await both(urls.first, urls.second)
            do throws(FetchError) {
                let texts = (
                    try first.mapError { FetchError.from(urls.first, $0) }.get(),
                    try second.mapError { FetchError.from(urls.second, $0) }.get()
                )
                looks += 1
                guard texts.0.text != texts.1.text, looks < Self.looks, (try? await Task.sleep(for: period)) != nil
                else { return texts }
            } catch {
                guard ContinuousClock.now + period <= end, (try? await Task.sleep(for: period)) != nil else {
                    throw error
                }
            }
        }
    }

    /// Compares the versions of a media playlist that both origins have now, and the segments that they list.
    private func compare(
        _ name: String,
        _ origins: Pair<FetchedResource>,
        in comparison: inout PairComparison
    ) async {
        let (first, second) = await both(
            name.resolved(against: origins.first.url),
            name.resolved(against: origins.second.url)
        )
        var resources: [PairComparison.Resource] = []
        for (side, result) in [(PairSide.first, first), (.second, second)] {
            switch result {
            case .success(let answer): resources += comparison.playlistLoaded(name, side, answer.text)
            case .failure: comparison.requestFailed()
            }
        }
        // Without both playlists nothing can be resolved, and only earlier segments can be compared.
        let bases = (
            (try? first.get().url) ?? name.resolved(against: origins.first.url),
            (try? second.get().url) ?? name.resolved(against: origins.second.url)
        )
        for resource in resources {
            let (first, second) = await both(
                resource.first.resolved(against: bases.0),
                resource.second.resolved(against: bases.1)
            )
            if case .success(let first) = first, case .success(let second) = second {
                comparison.resourceLoaded(resource, first.body, second.body)
            } else {
                comparison.requestFailed()
            }
            if Task.isCancelled { return }
        }
    }

    private func both(
        _ first: String,
        _ second: String
    ) async -> Pair<Result<FetchedResource, FetchError>> {
        async let one = result(first)
        async let other = result(second)
        return await (one, other)
    }

    private func result(_ url: String) async -> Result<FetchedResource, FetchError> {
        do throws(FetchError) {
            return .success(try await fetcher.fetch(url))
        } catch {
            return .failure(error)
        }
    }
}
