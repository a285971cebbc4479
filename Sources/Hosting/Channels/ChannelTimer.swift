import Channels
import Dispatch
import Operations
import Segmenting

/// Lets a channel know that time goes by, until it is cancelled.
///
/// The timer has a queue of its own: a channel that waits for its disk holds up no other one, and no task of the process.
struct ChannelTimer {
    private let timer: any DispatchSourceTimer
    private let pulse: Pulse

    /// The interval, which is short against the shortest slot, so that a lost one is published on time.
    private static let period = DispatchTimeInterval.milliseconds(100)

    /// - Parameters:
    ///   - channel: The channel.
    ///   - pulse: Beats whenever the channel has processed a tick.
    init(_ channel: Channel, _ pulse: Pulse) {
        self.pulse = pulse
        let queue = DispatchQueue(label: "time.\(channel.configuration.name)", qos: .userInitiated)
        timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + Self.period, repeating: Self.period, leeway: .milliseconds(5))
        timer.setEventHandler {
            channel.timeAdvanced()
            pulse.beat()
        }
        pulse.beat()
        timer.activate()
    }

    func cancel() {
        timer.cancel()
        pulse.stop()
    }
}
