import Foundation

/// Carries out a scenario: real packagers, a real player model, generated feeds, on loopback or on machines that are
/// network namespaces, and in real time.
package struct Drill: Sendable {
    private let scenario: Scenario
    private let program: String
    private let directory: String
    private let progress: @Sendable (String) -> Void

    /// - Parameters:
    ///   - scenario: The scenario that is carried out.
    ///   - program: Path of the packager.
    ///   - directory: Configurations and logs of the packagers go to folders there that are named after the scenario.
    ///   - progress: Called with the progress several times a second.
    package init(
        _ scenario: Scenario,
        program: String,
        directory: String,
        progress: @escaping @Sendable (String) -> Void
    ) {
        self.scenario = scenario
        self.program = program
        self.directory = directory
        self.progress = progress
    }

    /// Runs and judges the drill, every channel by itself; all that it started has ended when this returns.
    ///
    /// Failures are not thrown: the reports have them. Cancelling the task ends it early.
    ///
    /// - Returns: A report for each channel, in their order.
    package func run() async -> [DrillReport] {
        let machines: Machines?
        do {
            machines = scenario.machines > 0 ? try await Machines(scenario.machines) : nil
        } catch {
            return [ChannelDrill(scenario, program: program, directory: directory) { _ in }.report(of: error, [])]
        }
        let reports = await withTaskGroup(of: (Int, DrillReport).self) { group in
            for (index, channel) in channels.enumerated() {
                group.addTask { (index, await channel.run(on: machines)) }
            }
            var reports: [(index: Int, report: DrillReport)] = []
            for await (index, report) in group { reports.append((index, report)) }
            return reports
        }
        await machines?.remove()
        return reports.sorted { $0.index < $1.index }.map(\.report)
    }

    private var channels: [ChannelDrill] {
        scenario.scenariosOfGroups.map { channel in
            // Progress has one line.
            let isShown = channel.group == 0
            return ChannelDrill(channel, program: program, directory: directory) { [progress] text in
                if isShown { progress(text) }
            }
        }
    }
}
