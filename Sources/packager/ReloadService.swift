import ServiceLifecycle
import UnixSignals

/// Reads the configuration again whenever the process is sent SIGHUP.
struct ReloadService: Service {
    let desk: ConfigurationDesk

    func run() async {
        let signals = await UnixSignalsSequence(trapping: .sighup)
        await cancelWhenGracefulShutdown {
            for await _ in signals {
                // What is wrong is in the log.
                _ = try? await desk.reload(isRehearsal: false)
            }
        }
    }
}
