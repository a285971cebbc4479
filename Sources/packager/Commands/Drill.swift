import ArgumentParser
import Drills
import Foundation
import MediaCore
import Operations
import Synchronization
import UnixSignals

/// `packager drill`: rehearses failures, and shows what viewers would notice.
struct Drill: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Rehearses failures and reports what viewers would notice.",
        discussion: """
            Runs scripted failures against this packager and a simulated player, on loopback and in real time. It writes \
            a page with a timeline and the measurements, and the same as JSON. With --against it only watches a stream \
            on air, while you cause the failure; end it with Ctrl-C.

              packager drill Config/drills/encoder-killed.yaml --report report
              packager drill Config/drills --report report
              packager drill --against https://example.com/live/index.m3u8 --duration 60 --report report

            Exit codes: 0 all expectations met, 1 some not met or a drill not completed, 2 bad usage or scenario. A \
            drill that cannot run on this machine is skipped; the report says why.
            """
    )

    @Argument(help: ArgumentHelp("Scenario files, or folders of them.", valueName: "scenario"))
    var scenarios: [String] = []

    @Option(help: ArgumentHelp("Only watch this multivariant playlist.", valueName: "url"))
    var against: String?

    @Option(help: ArgumentHelp("With --against: time to watch. (default: until Ctrl-C)", valueName: "seconds"))
    var duration: Double?

    @Option(help: ArgumentHelp("Directory for the reports.", valueName: "dir"))
    var report: String

    func validate() throws {
        guard scenarios.isEmpty != (against == nil) else {
            throw ValidationError("Give either scenario files or --against.")
        }
        if duration != nil, against == nil {
            throw ValidationError("--duration is for --against; a scenario has its own duration.")
        }
        guard (1...1e6).contains(duration ?? 1) else {
            throw ValidationError("--duration must be 1 second or more.")
        }
        if let against, !against.hasPrefix("http://"), !against.hasPrefix("https://") {
            throw ValidationError("\(against) is not an http or https URL.")
        }
    }

    func run() async throws {
        let interrupts = await Interrupts()
        let reports: [DrillReport]
        if let against {
            let watch = StreamWatch(of: against, progress: Self.show)
            let length = duration.map { MediaTime(milliseconds: Int64(($0 * 1000).rounded())) }
            reports = [await watch.run(for: length) { interrupts.wasRaised }]
            try write(reports)
        } else {
            reports = try await rehearse(interrupts)
        }
        conclude(reports)
        if reports.contains(where: { $0.outcome == .failed }) || interrupts.wasRaised && against == nil {
            throw ExitCode(1)
        }
    }

    /// Runs one scenario after the other, and writes each report at once.
    private func rehearse(_ interrupts: Interrupts) async throws -> [DrillReport] {
        let loaded: [Scenario]
        do {
            loaded = try Scenario.load(paths: scenarios)
        } catch {
            LineWriter.standardError.write("\(error)")
            throw ExitCode(2)
        }
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        var reports: [DrillReport] = []
        for (index, scenario) in loaded.enumerated() where !interrupts.wasRaised {
            let place = loaded.count > 1 ? "\(index + 1)/\(loaded.count) " : ""
            let drill = Drills.Drill(scenario, program: program, directory: report) { Self.show("\(place)\($0)") }
            for channel in await interrupts.cancelling({ await drill.run() }) {
                reports.append(channel)
                try write(reports)
            }
        }
        return reports
    }

    /// Writes the newest report, and an index where there are several.
    private func write(_ reports: [DrillReport]) throws {
        guard let newest = reports.last else { return }
        Self.show("")
        let page = try newest.write(to: report)
        // Not print: a nightly job wants to see each line as soon as it is true.
        LineWriter.standardOutput.write("\(newest.summary)\n  \(newest.verdict.map { "\($0) " } ?? "")See \(page)")
        if scenarios.count > 1 || reports.count > 1 { try DrillReport.writeIndex(of: reports, to: report) }
    }

    /// Summarizes several drills, with the page of their reports.
    private func conclude(_ reports: [DrillReport]) {
        guard reports.count > 1 else { return }
        let counts = [(DrillReport.Outcome.passed, "passed"), (.failed, "failed"), (.skipped, "were skipped")]
            .compactMap {
                outcome,
                word in
                let count = reports.count { $0.outcome == outcome }
                return count > 0 ? "\(count) \(word)" : nil
            }
        let page = URL(filePath: report).appending(path: "index.html").path
        LineWriter.standardOutput.write("Of \(reports.count) drills \(counts.joined(separator: ", ")). See \(page)")
    }

    @Sendable private static func show(_ text: String) {
        if LineWriter.standardError.isTerminal { LineWriter.standardError.show(progress: text) }
    }
}

/// Ctrl-C, and the signal that the system sends instead.
private final class Interrupts: Sendable {
    private struct State {
        var wasRaised = false
        var cancel: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Listens from now on.
    init() async {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        Task { [weak self] in
            for await _ in signals { self?.raise() }
        }
    }

    var wasRaised: Bool { state.withLock { $0.wasRaised } }

    /// Works, and cancels the work at a signal, at which it ends by itself.
    func cancelling<Result: Sendable>(_ work: @escaping @Sendable () async -> Result) async -> Result {
        let task = Task { await work() }
        state.withLock { $0.cancel = { task.cancel() } }
        defer { state.withLock { $0.cancel = nil } }
        return await task.value
    }

    private func raise() {
        let cancel = state.withLock { state in
            state.wasRaised = true
            return state.cancel
        }
        cancel?()
    }
}
