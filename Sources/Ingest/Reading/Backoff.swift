/// The time to wait before a feed is tried again: twice as long after each failure, at once short after a good run.
struct Backoff: Hashable, Sendable {
    var initial: Duration = .milliseconds(100)
    var maximum: Duration = .seconds(2)
    /// A run of at least this length was good.
    var goodRun: Duration = .seconds(5)

    private var next: Duration?

    init(initial: Duration = .milliseconds(100), maximum: Duration = .seconds(2), goodRun: Duration = .seconds(5)) {
        self.initial = initial
        self.maximum = maximum
        self.goodRun = goodRun
    }

    /// Notes that the feed failed, `run` after its first packet (zero without any).
    ///
    /// - Returns: The time to wait.
    mutating func failed(afterRunOf run: Duration) -> Duration {
        let delay = run >= goodRun ? initial : next ?? initial
        next = min(delay * 2, maximum)
        return delay
    }
}
