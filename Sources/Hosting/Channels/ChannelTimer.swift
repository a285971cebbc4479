import Channels
import Dispatch
import Operations
import Segmenting

/// Drives a channel's clock until it is cancelled.
///
/// The timers of all channels fire together, so that one thread wakes for all of them. Their queue runs them side by
/// side: a channel that takes long holds up no other one, and no task of the process.
struct ChannelTimer {
    private let timer: any DispatchSourceTimer
    private let pulse: Pulse

    private static let queue = DispatchQueue(label: "time", qos: .userInitiated, attributes: .concurrent)
    /// Nanoseconds of the interval, which is short against the shortest slot, so that a lost one is published on time.
    private static let period: UInt64 = 100_000_000

    /// - Parameters:
    ///   - channel: The channel.
    ///   - pulse: Beats whenever the channel has processed a tick.
    init(_ channel: Channel, _ pulse: Pulse) {
        self.pulse = pulse
        timer = DispatchSource.makeTimerSource(queue: Self.queue)
        let next = (DispatchTime.now().uptimeNanoseconds / Self.period + 1) * Self.period
        timer.schedule(
            deadline: DispatchTime(uptimeNanoseconds: next),
            repeating: .nanoseconds(Int(Self.period)),
            leeway: .milliseconds(5)
        )
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
