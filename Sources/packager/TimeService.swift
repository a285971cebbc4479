import Packaging

/// Lets channels know that time goes by, and the operator how they are.
struct TimeService {
    let channels: [Channel]
    let progress: ProgressLine?

    /// Short against the shortest slot, so that a lost one is published on time.
    private static let period = Duration.milliseconds(100)

    /// Runs until it is cancelled.
    func run() async {
        var ticks = 0
        while (try? await Task.sleep(for: Self.period)) != nil {
            for channel in channels { channel.timeAdvanced() }
            ticks += 1
            if ticks.isMultiple(of: 10) { progress?.update() }
        }
    }
}
