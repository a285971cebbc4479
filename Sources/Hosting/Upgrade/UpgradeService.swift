import Glibc
import HTTPServing
import ServiceLifecycle
import UnixSignals

/// Hands over to a new process when this one is sent SIGUSR2, once no change of the configuration is under way.
struct UpgradeService: Service {
    let upgrade: Upgrade
    let reloader: ConfigurationReloader

    func run() async {
        let ends = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        let signals = await UnixSignalsSequence(trapping: .sigusr2)
        await cancelWhenGracefulShutdown {
            for await _ in signals { await reloader.whileNothingChanges { await upgrade.perform() } }
        }
        // The services shut down already, and pay no attention to signals.
        if upgrade.isHandedOver { Task { await Self.end(at: ends) } }
    }

    /// Has a signal end a process that has handed over, within the time for answers at a shutdown.
    private static func end(at signals: UnixSignalsSequence) async {
        for await _ in signals { break }
        try? await Task.sleep(for: ConnectionTimeouts.dismissal)
        _exit(EXIT_SUCCESS)
    }
}
