/// Decides how many requests are sent at once, and when those that failed are sent again.
///
/// Requests that fail halve the number, and one that does not adds one. While nothing succeeds the pauses double, with
/// chance in them, so that those who failed together do not come back together. Retries have a budget, which successes
/// fill: without it every pause is the longest one.
struct PushPace: Hashable, Sendable {
    typealias Instant = ContinuousClock.Instant

    /// The most requests at once.
    let maximum: Int
    private(set) var lanes: Int
    /// Failures in a row.
    private(set) var failures = 0
    private var budget = fullBudget
    /// The time before which nothing is sent.
    private(set) var resumesAt: Instant?
    private var pausedAt: Instant?

    private static let shortestPause = Duration.milliseconds(200)
    private static let longestPause = Duration.seconds(10)
    /// Retries without a success, and how many successes are one more.
    private static let fullBudget = 200
    private static let successesPerRetry = 10
    private static let costOfRetry = successesPerRetry

    init(maximum: Int) {
        self.maximum = maximum
        lanes = maximum
    }

    /// The requests that may be under way now.
    func lanes(at now: Instant) -> Int { resumesAt.map { now < $0 } ?? false ? 0 : lanes }

    mutating func succeeded() {
        failures = 0
        lanes = min(maximum, lanes + 1)
        budget = min(Self.fullBudget, budget + 1)
        (resumesAt, pausedAt) = (nil, nil)
    }

    /// - Parameters:
    ///   - start: The time when the request was sent.
    ///   - now: The time.
    ///   - requested: The pause that the store asks for.
    ///   - chance: Between 0 and 1.
    mutating func failed(sentAt start: Instant, now: Instant, retryAfter requested: Duration?, chance: Double) {
        // All that were under way fail of one cause.
        if let pausedAt, start <= pausedAt { return }
        failures += 1
        lanes = max(1, lanes / 2)
        budget = max(0, budget - Self.costOfRetry)
        let doubled = Self.shortestPause * (1 << min(failures - 1, 10))
        let pause = budget == 0 ? Self.longestPause : min(doubled, Self.longestPause)
        resumesAt = now + max(requested ?? .zero, pause * (0.5 + chance / 2))
        pausedAt = now
    }
}
