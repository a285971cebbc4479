import Fetching
package import MediaCore

/// Watches a production stream from outside during a drill by hand.
package struct StreamWatch: Sendable {
    private let url: String
    private let progress: @Sendable (String) -> Void

    /// - Parameters:
    ///   - url: The URL of a multivariant playlist.
    ///   - progress: Called with the progress several times a second.
    package init(of url: String, progress: @escaping @Sendable (String) -> Void) {
        self.url = url
        self.progress = progress
    }

    /// Watches until the time is over or `isStopped` returns true.
    ///
    /// - Parameters:
    ///   - duration: The duration; nil to watch until stopped.
    ///   - isStopped: Called several times a second.
    /// - Returns: A report of the observations, without a verdict.
    package func run(for duration: MediaTime?, isStopped: @Sendable () -> Bool) async -> DrillReport {
        let clock = DrillClock(origin: .now(), warmUp: .zero)
        let description = "Watched from outside: \(url)"
        do {
            let record = try await OriginClient.withClient { client in
                try await Viewing(of: url, client: client, clock: clock)
                    .run(until: duration, isStopped: isStopped, progress: progress)
            }
            guard record.targetDuration > 0 else {
                let reason = "there is no live stream at \(url)"
                return DrillReport(name: "observation", description: description, outcome: .failed, reason: reason)
            }
            return DrillReport(
                name: "observation",
                description: description,
                expectations: [],
                commands: [],
                record: record
            )
        } catch {
            return DrillReport(name: "observation", description: description, outcome: .failed, reason: "\(error)")
        }
    }
}
