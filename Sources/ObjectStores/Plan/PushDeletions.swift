/// Decides when objects are deleted, so that deletions which a store refuses cost next to nothing.
struct PushDeletions: Hashable, Sendable {
    typealias Instant = ContinuousClock.Instant

    /// The most deletions at once: the others of the requests are left to the stream.
    private let maximum: Int
    /// The number of deletions under way.
    private(set) var underWay = 0
    /// The problem for which deletions are refused; nil if they are not.
    private(set) var refusal: StoreProblem?
    /// The time before which nothing is deleted.
    private(set) var resumesAt: Instant?
    private var failures = 0
    private var pausedAt: Instant?
    /// The news that nobody has taken yet.
    private var event: PushEvent?

    private static let shortestPause = Duration.seconds(10)
    private static let longestPause = Duration.seconds(600)

    /// - Parameter lanes: The most requests of all kinds at once; a quarter of them may delete.
    init(lanes: Int) { maximum = max(1, lanes / 4) }

    /// Returns true if another one may begin; while they are refused, one at a time is tried.
    func mayBegin(at now: Instant) -> Bool {
        if let resumesAt, now < resumesAt { return false }
        return underWay < (refusal == nil ? maximum : 1)
    }

    /// Takes note that a request is sent.
    mutating func begin() { underWay += 1 }

    /// Takes note that a request is over, whatever came of it.
    mutating func end() { underWay = max(0, underWay - 1) }

    /// Takes note that the store has deleted something.
    ///
    /// - Parameter start: The time when the request was sent.
    mutating func succeeded(sentAt start: Instant) {
        // What was sent before a refusal says nothing of what comes after it.
        if let pausedAt, start <= pausedAt { return }
        if refusal != nil { event = .deletionsGoOn }
        (refusal, resumesAt, failures, pausedAt) = (nil, nil, 0, nil)
    }

    /// Takes note that the store refuses to delete.
    ///
    /// - Parameters:
    ///   - problem: The reason.
    ///   - start: The time when the request was sent.
    ///   - now: The time.
    ///   - chance: Between 0 and 1.
    mutating func refused(_ problem: StoreProblem, sentAt start: Instant, now: Instant, chance: Double) {
        if refusal == nil { event = .deletionsRefused(problem) }
        refusal = problem
        // All that were under way are refused for one cause.
        if let pausedAt, start <= pausedAt { return }
        failures += 1
        let pause = min(Self.shortestPause * (1 << min(failures - 1, 10)), Self.longestPause)
        resumesAt = now + pause * (0.5 + chance / 2)
        pausedAt = now
    }

    /// Returns the news for the operator, once.
    mutating func takeEvent() -> PushEvent? {
        defer { event = nil }
        return event
    }
}

extension StoreProblem {
    /// True if a deletion that fails for it says nothing of what is sent.
    var refusesDeletion: Bool {
        switch self {
        case .forbidden, .refused: true
        case .unreachable, .busy, .absent, .elsewhere, .clock, .credentials, .unreadable: false
        }
    }
}
