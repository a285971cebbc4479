import Channels
import Dispatch
import Segmenting

/// Lets channels know that time goes by, and the operator how they are.
struct TimeService {
    let channels: [Channel]
    let progress: ProgressLine?

    /// Short against the shortest slot, so that a lost one is published on time.
    private static let period = DispatchTimeInterval.milliseconds(100)

    /// Runs until it is cancelled.
    func run() async {
        let timers = channels.map(Self.timer)
        defer { for timer in timers { timer.cancel() } }
        while (try? await Task.sleep(for: .seconds(1))) != nil { progress?.update() }
    }

    /// A queue for each: a channel that waits for its disk holds up no other one, and no task of the process.
    private static func timer(for channel: Channel) -> any DispatchSourceTimer {
        let queue = DispatchQueue(label: "time.\(channel.configuration.name)", qos: .userInitiated)
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + period, repeating: period, leeway: .milliseconds(5))
        timer.setEventHandler { channel.timeAdvanced() }
        timer.activate()
        return timer
    }
}
