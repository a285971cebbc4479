/// Decides how many requests are sent at once, and when those that failed are sent again.
///
/// A failed request halves the number, and a successful one adds one. While nothing succeeds the pauses double, with
/// chance in them, so that requests which failed together do not return together. Retries have a budget, which
/// successes fill; without budget, no pause is short.
struct PushPace: Hashable, Sendable {
    typealias Instant = ContinuousClock.Instant

    /// The most requests at once.
    let maximum: Int
    private(set) var lanes: Int
    /// Failures in a row.
    private(set) var failures = 0
    private var budget = fullBudget
    /// The time until which nothing is sent.
    private(set) var resumesAt: Instant?
    private var pausedAt: Instant?

    private static let shortestPause = Duration.milliseconds(200)
    private static let longestPause = Duration.seconds(10)
    /// The shortest pause without budget.
    ///
    /// A store that fails a third of all requests still gets each slot in its time.
    private static let pauseWithoutBudget = Duration.seconds(1)
    /// The most retries without a success, and the successes that earn another.
    private static let fullBudget = 200
    private static let successesPerRetry = 10
    private static let costOfRetry = successesPerRetry

    init(maximum: Int) {
        self.maximum = maximum
        lanes = maximum
    }

    /// The most requests under way now.
    func lanes(at now: Instant) -> Int { resumesAt.map { now < $0 } ?? false ? 0 : lanes }

    /// - Parameter start: The time at which the request was sent.
    mutating func succeeded(sentAt start: Instant) {
        budget = min(Self.fullBudget, budget + 1)
        // Requests that were sent before a failure do not show if it lasts.
        if let pausedAt, start <= pausedAt { return }
        failures = 0
        lanes = min(maximum, lanes + 1)
        (resumesAt, pausedAt) = (nil, nil)
    }

    /// - Parameters:
    ///   - start: The time at which the request was sent.
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
        let pause = min(max(doubled, budget == 0 ? Self.pauseWithoutBudget : .zero), Self.longestPause)
        resumesAt = now + max(requested ?? .zero, pause * (0.5 + chance / 2))
        pausedAt = now
    }
}
