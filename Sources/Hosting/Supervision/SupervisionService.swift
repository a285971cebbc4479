import Channels
import Operations
import Origin
import Presentation
import Segmenting
import ServiceLifecycle

/// Tells the service manager that has started the process how it does.
struct SupervisionService: Service {
    let manager: ServiceManager
    let channels: ChannelRegistry<HostedChannel>
    let origin: OriginServer
    /// True once another process is the service, which speaks for itself.
    let isHandedOver: @Sendable () -> Bool
    /// Waits until the process is to be looked at again.
    var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    /// The interval at which it looks, where no watchdog wants more.
    private static let period = Duration.seconds(1)

    func run() async {
        let serving = Pulse()
        let period = min(Self.period, manager.watchdogPeriod.map { $0 / 4 } ?? Self.period)
        // A watchdog's period comes from the service manager; half of it is for the manager's own delays.
        let patience = manager.watchdogPeriod.map { $0 / 2 } ?? .seconds(30)
        await cancelWhenGracefulShutdown {
            var report = ServiceReport()
            repeat {
                origin.beat { serving.beat() }
                if isHandedOver() { return }
                manager.notify(report.news(of: observation(serving, patience)))
            } while (try? await sleep(period)) != nil
        }
        if !isHandedOver() { manager.notify([.stopping]) }
    }

    private func observation(_ serving: Pulse, _ patience: Duration) -> ServiceReport.Observation {
        var observation = ServiceReport.Observation()
        observation.viewers = origin.counters.totals.viewers
        observation.isAlive = serving.isAlive(within: patience)
        for member in channels.members {
            let channel = member.service.channel
            switch channel.presentation.progress {
            case .starting: observation.waiting.append(member.name)
            case .live where !channel.latestStatus.inputs.contains(where: \.isOnAir):
                observation.withoutMedia.append(member.name)
            case .live, .ended: observation.onAir.append(member.name)
            }
            if !member.service.pulse.isAlive(within: patience) { observation.isAlive = false }
        }
        return observation
    }
}
