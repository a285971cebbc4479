import ServiceLifecycle
import UnixSignals

/// Hands over to a new process when this one is sent SIGUSR2, once no change of the configuration is under way.
struct UpgradeService: Service {
    let upgrade: Upgrade
    let reloader: ConfigurationReloader

    func run() async {
        let signals = await UnixSignalsSequence(trapping: .sigusr2)
        await cancelWhenGracefulShutdown {
            for await _ in signals { await reloader.whileNothingChanges { await upgrade.perform() } }
        }
    }
}
