package import Fetching
import Playlists

/// Checks a live stream from outside, ours or not: every media playlist that it names, and every segment that they
/// list.
package struct StreamCheck: Sendable {
    private let url: String
    private let fetcher: any Fetcher

    /// An origin may name more playlists than there is memory for, and segments as long as it likes.
    private static let mostPlaylists = 64
    private static let playlistsAtOnce = 4

    /// - Parameters:
    ///   - url: The URL of a multivariant or media playlist.
    ///   - fetcher: Gets it, and everything that it names.
    package init(of url: String, through fetcher: any Fetcher) {
        self.url = url
        self.fetcher = fetcher
    }

    /// Checks until `duration` is over, the stream has ended or the task is cancelled.
    ///
    /// - Parameters:
    ///   - duration: The duration; zero for one pass over the listed segments.
    ///   - period: Between passes.
    ///   - progress: Called with the counts after every pass.
    /// - Returns: The findings.
    /// - Throws: ``FetchError`` if there is nothing at the URL.
    package func run(
        for duration: Duration,
        every period: Duration = .seconds(1),
        progress: (StreamCheckResult) -> Void = { _ in }
    ) async throws(FetchError) -> StreamCheckResult {
        let now = ContinuousClock.now
        let end = now + duration
        // A single pass may take up to a minute.
        let deadline = max(end, now + .seconds(60))
        let resource = try await fetcher.fetch(url)
        let steering = await Self.steering(of: resource, by: fetcher)
        var checks = Self.checks(of: resource, by: fetcher)
        var result = StreamCheckResult()
        var shared = PresentationRules()
        while true {
            checks = await pass(over: checks, until: deadline)
            shared.take(checks.compactMap(\.version))
            result = Self.sum(checks)
            result.findings.append(contentsOf: shared.findings)
            steering.forEach { result.findings.append($0) }
            result.lowLatencyObstacles = shared.lowLatencyObstacles
            progress(result)
            guard !checks.allSatisfy(\.isEnded), ContinuousClock.now + period <= end,
                (try? await Task.sleep(for: period)) != nil
            else { return result }
        }
    }

    private static func steering(
        of resource: FetchedResource,
        by fetcher: any Fetcher
    ) async -> [StreamCheckResult.Finding] {
        let playlist = try? MultivariantPlaylist(parsing: resource.text, values: resource.url.queryValues)
        guard let playlist else { return [] }
        return await SteeringRules.findings(in: playlist, at: resource.url, through: fetcher)
    }

    /// Returns a check for each media playlist that the resource names, or for the resource itself if it is one.
    private static func checks(of resource: FetchedResource, by fetcher: any Fetcher) -> [MediaPlaylistCheck] {
        let query = resource.url.queryValues
        guard let playlist = try? MultivariantPlaylist(parsing: resource.text, values: query) else {
            return [MediaPlaylistCheck(name: resource.url, url: resource.url, values: query, fetcher: fetcher)]
        }
        let values = query.values(of: playlist.variables)
        return playlist.uris.prefix(mostPlaylists).map {
            MediaPlaylistCheck(name: $0, url: $0.resolved(against: resource.url), values: values, fetcher: fetcher)
        }
    }

    /// Makes a pass over the playlists, a few at once to bound the segments in memory.
    private func pass(
        over checks: [MediaPlaylistCheck],
        until end: ContinuousClock.Instant
    ) async -> [MediaPlaylistCheck] {
        await withTaskGroup(of: (Int, MediaPlaylistCheck).self) { group in
            var (next, checked) = (0, checks)
            func begin() {
                guard next < checks.count else { return }
                let (index, check) = (next, checks[next])
                next += 1
                group.addTask {
                    var check = check
                    await check.pass(until: end)
                    return (index, check)
                }
            }
            for _ in 0..<Self.playlistsAtOnce { begin() }
            for await (index, check) in group {
                checked[index] = check
                begin()
            }
            return checked
        }
    }

    private static func sum(_ checks: [MediaPlaylistCheck]) -> StreamCheckResult {
        var sum = StreamCheckResult()
        sum.playlists = checks.count
        for check in checks { sum.add(check.result) }
        return sum
    }
}
