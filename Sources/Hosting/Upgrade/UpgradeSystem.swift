import Operations
import Origin
import Succession

/// The system as an upgrade uses it: another process, event loops, time, and standard output.
struct UpgradeSystem: Sendable {
    /// Starts the process that is to take the place of this one.
    var start: @Sendable () throws(SuccessionError) -> any Successor
    /// Returns after a while, or when the task is cancelled.
    var sleep: @Sendable (Duration) async -> Void
    /// Returns once every event loop on which requests are answered has come round.
    var turn: @Sendable () async -> Void
    /// Writes a line to standard output.
    var announce: @Sendable (String) -> Void

    /// The system itself.
    ///
    /// - Parameter origin: Answers requests.
    /// - Returns: The system, with the processes, the clock and the event loops of this machine.
    static func real(_ origin: OriginServer) -> UpgradeSystem {
        UpgradeSystem(
            start: { () throws(SuccessionError) in try StartedSuccessor() },
            sleep: { try? await Task.sleep(for: $0) },
            turn: { await withCheckedContinuation { turn in origin.beat { turn.resume() } } },
            announce: { LineWriter.standardOutput.write($0) }
        )
    }
}
