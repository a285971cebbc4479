import ServiceLifecycle
import UnixSignals

/// Hands over to a new process when this one is sent SIGUSR2.
struct UpgradeService: Service {
    let upgrade: Upgrade

    func run() async {
        let signals = await UnixSignalsSequence(trapping: .sigusr2)
        await cancelWhenGracefulShutdown { for await _ in signals { await upgrade.perform() } }
    }
}
