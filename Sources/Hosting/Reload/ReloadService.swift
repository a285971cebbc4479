import Logging
import ServiceLifecycle
import UnixSignals

/// Handles SIGHUP: reopens the access log, and reads the configuration again if it is a file.
struct ReloadService: Service {
    /// The signals since the program began to start.
    let hangups: UnixSignalsSequence
    /// Reads the configuration again; nil if there is nothing to read.
    let reloader: ConfigurationReloader?
    let accessLog: AccessLogFile?
    let logger: Logger

    func run() async {
        await cancelWhenGracefulShutdown {
            for await _ in hangups {
                accessLog?.reopen(logger)
                // The problem is in the log.
                await Self.unlessCancelled { [reloader] in _ = try? await reloader?.reload(isRehearsal: false, for: nil)
                }
            }
        }
    }

    /// Returns once the work is done, or at once if this task is cancelled: a process that is to end does not wait
    /// for a reload that hangs.
    static func unlessCancelled(_ work: @escaping @Sendable () async -> Void) async {
        let (done, end) = AsyncStream<Never>.makeStream()
        Task {
            await work()
            end.finish()
        }
        for await _ in done {}
    }
}
