import Logging
import Operations
import Succession
import Synchronization

@testable import Hosting

/// A process that is upgraded, and another one that takes its place by a script.
struct UpgradeStage: Sendable {
    let channels: Stage
    let upgrade: Upgrade
    /// Returns the number of processes that were started.
    let starts: @Sendable () -> Int
    /// Returns the lines that were written to standard output.
    let announced: @Sendable () -> [String]

    /// Lets the time run out that the other process has.
    let expire: @Sendable () -> Void

    /// - Parameters:
    ///   - channels: Those of the process.
    ///   - eventDirectory: The directory in which it keeps events; nil if there is none.
    ///   - start: Starts the other process.
    init(
        _ channels: Stage = Stage(),
        eventDirectory: String? = nil,
        start: @escaping @Sendable () throws(SuccessionError) -> any Successor
    ) {
        self.channels = channels
        let record = Record()
        let system = UpgradeSystem(
            start: { () throws(SuccessionError) in
                record.starts.withLock { $0 += 1 }
                return try start()
            },
            sleep: { if $0 == Upgrade.patience { await record.patience() } },
            turn: {},
            announce: { line in record.lines.withLock { $0.append(line) } }
        )
        upgrade = Upgrade(
            channels.host,
            [],
            system,
            events: channels.events,
            eventDirectory: { eventDirectory },
            clock: StoppedClock(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        starts = { record.starts.withLock { $0 } }
        announced = { record.lines.withLock { $0 } }
        expire = record.expire
    }

    private final class Record: Sendable {
        let starts = Mutex(0)
        let lines = Mutex<[String]>([])
        private let waits = Mutex<[AsyncStream<Never>.Continuation]>([])

        /// Returns once the time has run out, or the task is cancelled.
        func patience() async {
            let (never, end) = AsyncStream<Never>.makeStream()
            waits.withLock { $0.append(end) }
            for await _ in never {}
        }

        @Sendable func expire() { for wait in waits.withLock({ $0 }) { wait.finish() } }
    }

    /// Returns the message when everything continues as before.
    static func givenUp(_ reason: String) -> String {
        "The upgrade was given up, and everything goes on as before: \(reason)."
    }
}
