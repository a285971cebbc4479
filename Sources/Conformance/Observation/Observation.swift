package import Fetching
import MediaCore

/// Watches a live stream as a viewer would, and reports the result.
package struct Observation: Sendable {
    package struct Configuration: Hashable, Sendable {
        package var player: PlayerModel.Configuration
        /// The time between requests for every media playlist, played or not, besides the player's; nil for none.
        var watchPeriod: Duration?

        package init(
            player: PlayerModel.Configuration = PlayerModel.Configuration(),
            watchPeriod: Duration? = .seconds(1)
        ) {
            self.player = player
            self.watchPeriod = watchPeriod
        }
    }

    private let url: String
    private let fetcher: any Fetcher
    private let configuration: Configuration

    /// The time between two looks at the clock, shorter than anything that a viewer notices.
    private static let tick = Duration.milliseconds(50)

    /// - Parameters:
    ///   - url: The URL of a multivariant playlist.
    ///   - fetcher: Gets it, and everything that it names.
    ///   - configuration: The way in which it is played and watched.
    package init(
        of url: String,
        through fetcher: any Fetcher,
        _ configuration: Configuration = Configuration()
    ) {
        self.url = url
        self.fetcher = fetcher
        self.configuration = configuration
    }

    /// Observes until its task is cancelled, which is no error, or the stream has ended.
    ///
    /// - Parameter onEvent: Called with everything notable when it happens.
    /// - Returns: Everything seen.
    package func run(onEvent: @Sendable (ViewerEvent) -> Void = { _ in }) async -> ViewerReport {
        let clock = SystemClock()
        var session = ObservationSession(
            url,
            player: configuration.player,
            watchPeriod: configuration.watchPeriod.map(MediaTime.init),
            at: clock.now
        )
        let (inbox, post) = AsyncStream<ObservationSession.Answer?>.makeStream()
        await withDiscardingTaskGroup { group in
            group.addTask {
                while (try? await Task.sleep(for: Self.tick)) != nil { post.yield(nil) }
                post.finish()
            }
            for await answer in inbox {
                // A task that was cancelled gets answers that say so: they are not the origin's.
                if Task.isCancelled { break }
                let requests: [ObservationSession.Request]
                if let answer {
                    requests = session.answered(answer, at: clock.now)
                } else {
                    requests = session.timeAdvanced(to: clock.now)
                }
                for request in requests { group.addTask { post.yield(await Self.load(request, through: fetcher)) } }
                let events = session.takeEvents()
                for event in events { onEvent(event) }
                if events.contains(where: { $0.kind == .ended }) { break }
            }
            group.cancelAll()
        }
        return session.report
    }

    /// Loads the URLs of a request one after the other; the last one has the resource.
    static func load(
        _ request: ObservationSession.Request,
        through fetcher: any Fetcher
    ) async -> ObservationSession.Answer {
        let urls =
            switch request {
            case .player(_, let urls): urls
            case .watch(_, let url): [url]
            }
        var result = Result<FetchedResource, FetchError>.failure(.invalidURL(""))
        do {
            for url in urls { result = .success(try await fetcher.fetch(url)) }
        } catch {
            result = .failure(error)
        }
        return ObservationSession.Answer(request: request, result: result)
    }
}
