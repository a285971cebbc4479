import Conformance
import Fetching
import MediaCore
import Synchronization

/// The observers of a drill: a player, a watch on every origin, and a reader of every operator's event list.
struct Viewing: Sendable {
    private let observation: Observation
    private let comparer: PairComparer?
    private let watchers: [PlaylistWatcher]
    private let operators: [OperatorEvents]
    private let clock: DrillClock
    private let start: MediaTime

    private enum Outcome: Sendable {
        case nothing
        case viewer(ViewerReport)
        case comparison(PairResult)
    }

    /// Observes all packagers of a drill.
    init(
        of addresses: [PackagerLaunch.Addresses],
        scenario: Scenario,
        cache: EdgeCache?,
        client: OriginClient,
        clock: DrillClock
    ) {
        let origins = addresses.map { "http://\($0.listen)" }
        let urls = origins.map { "\($0)/live/index.m3u8" }
        var fetcher: any Fetcher = scenario.isBalanced ? BalancedFetcher(origins, through: client) : client
        if let cache { fetcher = CachingFetcher(cache, through: fetcher) { clock.now } }
        observation = Self.observation(of: urls.first ?? "", through: fetcher, watchPeriod: .milliseconds(500))
        comparer = urls.count == 2 ? PairComparer(urls[0], urls[1], through: client) : nil
        watchers = urls.map { PlaylistWatcher($0, through: client, clock: clock, period: .milliseconds(200)) }
        operators = addresses.enumerated().map { index, address in
            OperatorEvents(of: "packager-\(index + 1)", at: address.control, through: client, clock: clock)
        }
        self.clock = clock
        start = -scenario.warmUp
    }

    /// Looks at the stream of a multivariant playlist from outside, asking for little more than a viewer does.
    init(of url: String, client: OriginClient, clock: DrillClock) {
        observation = Self.observation(of: url, through: client, watchPeriod: .seconds(2))
        comparer = nil
        watchers = [PlaylistWatcher(url, through: client, clock: clock, period: .seconds(1))]
        operators = []
        self.clock = clock
        start = .zero
    }

    private static func observation(
        of url: String,
        through fetcher: any Fetcher,
        watchPeriod: Duration
    ) -> Observation {
        var configuration = Observation.Configuration(watchPeriod: watchPeriod)
        configuration.player.samplePeriod = MediaTime(milliseconds: 250)
        return Observation(of: url, through: fetcher, configuration)
    }

    /// Watches until the time is over.
    ///
    /// - Parameters:
    ///   - end: The end, since zero; nil to watch until stopped.
    ///   - isStopped: Called four times a second; true ends it.
    ///   - progress: Called with the progress each time.
    /// - Returns: A record of the observations, without the actions.
    /// - Throws: `CancellationError`.
    func run(
        until end: MediaTime?,
        isStopped: () -> Bool = { false },
        progress: (String) -> Void
    ) async throws -> DrillRecord {
        let status = ViewerStatus()
        let outcomes = try await withThrowingTaskGroup(of: Outcome.self) { group in
            let (watchers, operators, observation) = (watchers, operators, observation)
            for watcher in watchers {
                group.addTask {
                    await watcher.run()
                    return .nothing
                }
            }
            for events in operators {
                group.addTask {
                    await events.run()
                    return .nothing
                }
            }
            group.addTask { [clock] in
                // A viewer joins a stream that has a past; without one, its player would never have a buffer.
                while clock.now < 0, !watchers.allSatisfy(\.hasWindow) { try await Task.sleep(for: .milliseconds(50)) }
                return .viewer(await observation.run { status.enter($0) })
            }
            if let comparer, let end {
                group.addTask { [clock] in try await Self.compare(comparer, until: end, clock) }
            }
            let length = end.map { " of \(Decimals.text($0.seconds, places: 1))" } ?? ""
            while end.map({ MediaTime(milliseconds: Int64(clock.now)) < $0 }) ?? true, !isStopped() {
                progress("\(Decimals.text(Double(clock.now) / 1000, places: 1))\(length) s · \(status.text)")
                try await Task.sleep(for: .milliseconds(250))
            }
            group.cancelAll()
            var outcomes: [Outcome] = []
            for try await outcome in group { outcomes.append(outcome) }
            return outcomes
        }
        return record(of: outcomes)
    }

    /// Compares from zero on: until then the members of a pair may still be finding each other.
    private static func compare(
        _ comparer: PairComparer,
        until end: MediaTime,
        _ clock: DrillClock
    ) async throws -> Outcome {
        do {
            try await clock.sleep(until: .zero)
            // It ends a little earlier, because a pass takes time.
            let left = max(end.milliseconds - Int64(clock.now) - 500, 0)
            return .comparison(try await comparer.run(for: .milliseconds(left)))
        } catch {
            return .nothing
        }
    }

    private func record(of outcomes: [Outcome]) -> DrillRecord {
        var viewer: ViewerReport?
        var comparison: PairResult?
        for outcome in outcomes {
            switch outcome {
            case .nothing: break
            case .viewer(let report): viewer = report
            case .comparison(let result): comparison = result
            }
        }
        return DrillRecord(
            clock: clock,
            span: Span(Int(start.milliseconds), clock.now),
            origins: watchers.map(\.collected),
            viewer: viewer,
            events: operators.flatMap(\.collected),
            hasEvents: !operators.isEmpty && operators.allSatisfy(\.isRead),
            comparison: comparison
        )
    }
}
