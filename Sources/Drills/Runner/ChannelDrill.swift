import Fetching
import Foundation
import MediaCore

/// Carries out the scenario of one channel.
struct ChannelDrill: Sendable {
    private let scenario: Scenario
    private let program: String
    private let folder: URL
    private let progress: @Sendable (String) -> Void

    /// - Parameters:
    ///   - scenario: The scenario that is carried out.
    ///   - program: Path of the packager.
    ///   - directory: Configurations and logs of the packagers go to a folder there that is named after the scenario.
    ///   - progress: Called with the progress several times a second.
    init(
        _ scenario: Scenario,
        program: String,
        directory: String,
        progress: @escaping @Sendable (String) -> Void
    ) {
        self.scenario = scenario
        self.program = program
        folder = URL(filePath: directory).appending(path: scenario.name, directoryHint: .isDirectory)
        self.progress = progress
    }

    /// Runs and judges the drill; all that it started has ended when this returns.
    ///
    /// Failures are not thrown: the report has them. Cancelling the task ends it early.
    ///
    /// - Parameter machines: The machines of the packagers; nil for this one.
    /// - Returns: The report.
    func run(on machines: Machines?) async -> DrillReport {
        var stage: DrillStage?
        defer { stage?.clear() }
        do {
            try await PackagerLaunch.check(scenario.disk)
            let made = try await DrillStage(scenario, program: program, folder: folder, machines: machines)
            stage = made
            return judge(try await perform(on: made), on: made)
        } catch {
            return report(of: error, stage?.commands ?? [])
        }
    }

    /// A drill that did not go as it was written is failed, whatever its measurements are.
    private func judge(_ record: DrillRecord, on stage: DrillStage) -> DrillReport {
        var report = DrillReport(
            name: scenario.name,
            description: scenario.description,
            expectations: scenario.expectations,
            commands: stage.commands,
            record: record
        )
        let notDone = record.events.filter { $0.kind == FaultScript.notDone }.map(\.message)
        let troubles = stage.packagers.flatMap(\.ends) + notDone
        if !troubles.isEmpty {
            report.outcome = .failed
            report.reason = troubles.joined(separator: "\n")
        }
        return report
    }

    /// Returns the report of a drill that an error has ended, or kept from taking place.
    func report(of error: any Error, _ commands: [DrillReport.Command]) -> DrillReport {
        var (outcome, reason) = (DrillReport.Outcome.failed, "\(error)")
        switch error {
        case DrillError.impossibleHere: outcome = .skipped
        case is CancellationError: (outcome, reason) = (.skipped, "it was interrupted")
        default: break
        }
        return DrillReport(
            name: scenario.name,
            description: scenario.description,
            outcome: outcome,
            reason: reason,
            commands: commands
        )
    }

    /// Returns an event for each encoder that has sent nothing, although it tried: nothing that was done to it was tested.
    private func undelivered(of senders: [FeedSender], _ clock: DrillClock) -> [DrillRecord.Event] {
        senders.filter(\.isUnheard).map { sender in
            let message = "the encoder that sends to \(sender.address) never reached the packager"
            return DrillRecord.Event(time: clock.now, source: "drill", kind: FaultScript.notDone, message: message)
        }
    }

    /// Runs packagers, encoders, player and script side by side until the time is over.
    private func perform(on stage: DrillStage) async throws -> DrillRecord {
        // A machine that is dead refuses nothing: what asks it gives up as Config/haproxy.cfg does.
        let patience = OriginClient.Configuration(connectTimeout: .milliseconds(250), timeout: .seconds(2))
        return try await OriginClient.withClient(stage.machines == nil ? .init() : patience) { client in
            try await withThrowingTaskGroup(of: Void.self) { group in
                // Everything that was started ends before this returns.
                defer { group.cancelAll() }
                for packager in stage.packagers { group.addTask { await packager.run() } }
                if let subtitles = stage.subtitles { group.addTask { await subtitles.run() } }
                let addresses = try await stage.startPackagers()
                let origin = FeedOrigin.now()
                let clock = DrillClock(origin: origin, warmUp: scenario.warmUp)
                let senders = stage.makeSenders(origin)
                defer { for sender in senders { sender.kill() } }
                for sender in senders { sender.start() }

                let audience = Audience(
                    of: "http://\(addresses[0].listen)/live/index.m3u8",
                    viewers: scenario.viewers,
                    clock: clock
                )
                if let audience { group.addTask { await audience.run() } }
                let script = FaultScript(scenario, stage: stage, clock: clock)
                group.addTask { try await script.run() }
                let viewing = Viewing(
                    of: addresses,
                    scenario: scenario,
                    cache: stage.cache,
                    client: client,
                    clock: clock
                )
                let record = try await viewing.run(until: scenario.duration) { status in
                    progress("\(scenario.name)  \(status)\(script.status)")
                }
                return record.with(
                    parts: scenario.parts,
                    breaks: scenario.plannedBreaks,
                    events: script.events + undelivered(of: senders, clock),
                    audience: audience?.seen
                )
            }
        }
    }
}
