import MediaCore
import Synchronization

/// Carries out the faults of a scenario at their times, on packagers and their surroundings.
final class FaultScript: Sendable {
    private let scenario: Scenario
    private let stage: DrillStage
    private let clock: DrillClock
    /// The kind of events about faults that could not be done to a packager.
    static let notDone = "not-done"

    private let log = Mutex<[DrillRecord.Event]>([])

    init(_ scenario: Scenario, stage: DrillStage, clock: DrillClock) {
        self.scenario = scenario
        self.stage = stage
        self.clock = clock
    }

    var events: [DrillRecord.Event] { log.withLock { $0 } }

    /// The faults of this moment, for the progress line.
    var status: String {
        let now = MediaTime(milliseconds: Int64(clock.now))
        let current = scenario.faults.filter { fault in
            let end = fault.end ?? (fault.action.isInstant ? fault.start + MediaTime(seconds: 1) : scenario.duration)
            return fault.start <= now && now < end
        }
        return current.map { " · \($0.target): \($0.action.title)" }.joined()
    }

    /// Runs until everything is done.
    ///
    /// - Throws: `CancellationError`.
    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for fault in scenario.packagerFaults {
                group.addTask { [self] in
                    try await clock.sleep(until: fault.start)
                    await begin(fault)
                    guard let end = fault.end else { return }
                    try await clock.sleep(until: end)
                    await self.end(fault)
                }
            }
            try await group.waitForAll()
        }
    }

    private func begin(_ fault: ScriptedFault) async {
        switch (fault.action, fault.target) {
        case (.packagerKilled, .packager(let number)):
            stage.packagers[number - 1].kill()
            note("packager-killed", "packager-\(number) was killed")
        case (.diskFull, .packager(let number)):
            await attempt("disk-full", "the disk of packager-\(number) is full") { try stage.fillDisk(of: number) }
        case (.subtitlesLost, _):
            stage.subtitles?.lose()
            note("subtitles-lost", "the file of the subtitles is gone")
        case (.packagerUpgraded, .packager(let number)):
            stage.packagers[number - 1].upgrade()
            note("packager-upgraded", "packager-\(number) was told to start another in its place")
        case (.cacheKilled, _):
            stage.cache?.kill()
            note("cache-killed", "the cache was killed")
        case (.machineKilled, .machine(let number)):
            await attempt("machine-killed", "machine-\(number) was killed") { try await stage.killMachine(number) }
        case (.feed, _), (.packagerKilled, _), (.diskFull, _), (.packagerUpgraded, _), (.machineKilled, _): break
        }
    }

    private func end(_ fault: ScriptedFault) async {
        switch (fault.action, fault.target) {
        case (.packagerKilled, .packager(let number)):
            stage.restart(number)
            note("packager-started", "packager-\(number) was started again")
        case (.diskFull, .packager(let number)):
            await attempt("disk-free", "the disk of packager-\(number) has room again") {
                try stage.freeDisk(of: number)
            }
        case (.subtitlesLost, _):
            stage.subtitles?.find()
            note("subtitles-back", "the file of the subtitles is there again")
        case (.cacheKilled, _):
            stage.cache?.replace()
            note("cache-replaced", "another cache took the place of the one that was killed")
        case (.machineKilled, .machine(let number)):
            await attempt("machine-started", "machine-\(number) was started again") {
                try await stage.restartMachine(number)
            }
        case (.feed, _), (.packagerKilled, _), (.diskFull, _), (.packagerUpgraded, _), (.machineKilled, _): break
        }
    }

    private func attempt(_ kind: String, _ message: String, _ body: () async throws -> Void) async {
        do {
            try await body()
            note(kind, message)
        } catch {
            note(Self.notDone, "\(kind): \(error)")
        }
    }

    private func note(_ kind: String, _ message: String) {
        log.withLock { $0.append(DrillRecord.Event(time: clock.now, source: "drill", kind: kind, message: message)) }
    }
}
