import Foundation
import Subprocess
import Synchronization

/// A packager that the drill starts, kills and starts again.
final class DrilledPackager: Sendable {
    let name: String
    private let launch: PackagerLaunch
    private let log: FileHandle?
    private let patience: Duration
    private let grace: Duration
    private let state = Mutex(State())
    private let lives = AsyncStream<String?>.makeStream()

    private struct State {
        /// The number of the running process; nil while there is none, since the system may give the number to another
        /// then.
        var identifier: pid_t?
        var addresses: PackagerLaunch.Addresses?
        /// The names of the addresses that it has written.
        var said: Set<String> = []
        /// The start of its newest life.
        var startedAt = ContinuousClock.now
        /// True if it was the drill that ended it.
        var isKilled = false
        var ends: [String] = []
        /// The number of times that another process is to take its place, and has.
        var upgrades = (wanted: 0, done: 0)
        var commands: [[String]] = []
        /// The lines that it wrote last.
        var lastLines: [String] = []
    }

    /// - Parameters:
    ///   - name: For reports.
    ///   - launch: The command that starts it.
    ///   - logPath: The file that gets its output.
    ///   - patience: The time that it may take to end when it is asked to.
    ///   - grace: The time that it may take to listen again.
    init(
        _ name: String,
        launch: PackagerLaunch,
        logPath: String,
        patience: Duration = .seconds(3),
        grace: Duration = .seconds(10)
    ) {
        self.name = name
        (self.patience, self.grace) = (patience, grace)
        self.launch = launch
        _ = FileManager.default.createFile(atPath: logPath, contents: nil)
        log = FileHandle(forWritingAtPath: logPath)
    }

    /// The addresses for viewers and operators, once it has listened.
    var addresses: PackagerLaunch.Addresses? { state.withLock { $0.addresses } }

    var identifier: pid_t? { state.withLock { $0.identifier } }

    /// The exits that the drill did not cause, and upgrades and starts that did not succeed.
    var ends: [String] {
        state.withLock { state in
            let missing = state.upgrades.wanted - state.upgrades.done
            let isUnheard =
                state.commands.count > 1 && state.said.count < 2 && !state.isKilled
                && state.startedAt.duration(to: .now) >= grace
            return state.ends + (missing > 0 ? ["\(name) was not upgraded \(missing) times"] : [])
                + (isUnheard ? ["\(name) does not listen since it was started again"] : [])
        }
    }

    /// Every command that was run, in order.
    var commands: [[String]] { state.withLock { $0.commands } }

    /// Runs its lives, one after the other; cancelling the task ends it.
    func run() async {
        for await peer in lives.stream {
            do {
                try await live(peer: peer)
            } catch {
                if Task.isCancelled { return }
                state.withLock { $0.ends.append("\(name) cannot be run: \(error)") }
            }
        }
    }

    /// Sets the addresses at which the packager listens.
    func reserve(_ addresses: PackagerLaunch.Addresses) {
        state.withLock { $0.addresses = addresses }
    }

    /// Starts it, on the address of its last run.
    ///
    /// - Parameter peer: The URL of the other member of its pair.
    func start(peer: String? = nil) {
        lives.continuation.yield(peer)
    }

    /// Ends it at once, as a power cut does.
    func kill() {
        state.withLock { state in
            guard let identifier = state.identifier else { return }
            state.isKilled = true
            _ = Glibc.kill(identifier, SIGKILL)
        }
    }

    /// Upgrades the packager: another process takes its place.
    func upgrade() {
        state.withLock { state in
            guard let identifier = state.identifier else { return }
            state.upgrades.wanted += 1
            _ = Glibc.kill(identifier, SIGUSR2)
        }
    }

    /// Waits until it listens.
    ///
    /// - Throws: ``DrillError`` if it ends instead, or takes more than half a minute.
    func listening() async throws -> PackagerLaunch.Addresses {
        let deadline = ContinuousClock.now + .seconds(30)
        while ContinuousClock.now < deadline {
            let (addresses, end) = state.withLock { ($0.said.count == 2 ? $0.addresses : nil, $0.ends.first) }
            if let addresses { return addresses }
            if end != nil { break }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw DrillError.noStart(packager: name, output: lastOutput)
    }

    /// The end of its output.
    private var lastOutput: String {
        let (lines, ends) = state.withLock { ($0.lastLines, $0.ends) }
        return (lines + ends).isEmpty ? "it says nothing within 30 s" : (lines + ends).joined(separator: "\n")
    }

    private func live(peer: String?) async throws {
        let command = launch.command(addresses ?? .free, peer: peer)
        state.withLock { state in
            state.commands.append(command)
            state.said = []
            (state.startedAt, state.isKilled) = (.now, false)
        }
        let output = try OutputLines()
        let result = try await Subprocess.run(
            configuration(command),
            input: .none,
            output: .fileDescriptor(output.writing, closeAfterSpawningProcess: true),
            error: .combinedWithOutput
        ) { execution in
            let first = execution.processIdentifier.value
            state.withLock { $0.identifier = first }
            defer { state.withLock { $0.identifier = nil } }
            // Its successor has the same output, and only the drill ends it.
            await withTaskCancellationHandler {
                for await line in output.lines { heard(line) }
            } onCancel: {
                let last = state.withLock { $0.identifier }
                if let last, last != first { _ = Glibc.kill(last, SIGTERM) }
            }
        }
        if Task.isCancelled { return }
        state.withLock { state in
            if !state.isKilled { state.ends.append("\(name) ended by itself: \(result.terminationStatus)") }
        }
    }

    private func configuration(_ command: [String]) -> Subprocess.Configuration {
        var options = PlatformOptions()
        // Ctrl-C is for the drill alone, which ends its packagers itself.
        options.processGroupID = 0
        options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: patience)]
        // The settings of this process must not change the scenario.
        let settings = ProcessInfo.processInfo.environment.keys.filter { $0.hasPrefix("PACKAGER_") }
        let removed = settings.map { (Environment.Key(stringLiteral: $0), String?.none) }
        return Subprocess.Configuration(
            // It runs the command in its place, by name or by path.
            executable: .name("env"),
            arguments: Arguments(command),
            environment: .inherit.updating(Dictionary(uniqueKeysWithValues: removed)),
            platformOptions: options
        )
    }

    /// Reads a line of its output, which may have the address of a listener.
    private func heard(_ line: String) {
        let text = line.trimmingCharacters(in: .newlines)
        try? log?.write(contentsOf: Data((text + "\n").utf8))
        func address(_ prefix: String) -> String? {
            guard text.hasPrefix(prefix) else { return nil }
            return String(text.dropFirst(prefix.count).prefix { $0 != "/" && !$0.isWhitespace })
        }
        state.withLock { state in
            state.lastLines = state.lastLines.suffix(7) + [text]
            if let successor = text.hasPrefix("successor ") ? pid_t(text.dropFirst("successor ".count)) : nil {
                state.identifier = successor
                state.upgrades.done += 1
            }
            var addresses = state.addresses ?? .free
            if let listen = address("listening http://") {
                addresses.listen = listen
                state.said.insert("listen")
            }
            if let control = address("control http://") {
                addresses.control = control
                state.said.insert("control")
            }
            state.addresses = addresses
        }
    }
}

extension PackagerLaunch {
    /// Checks that the disk of a scenario can be made here.
    ///
    /// - Throws: ``DrillError/impossibleHere(_:)`` with the reason if it cannot.
    static func check(_ disk: Scenario.Disk?) async throws(DrillError) {
        guard let command = probe(of: disk) else { return }
        let line = line(command)
        do {
            let result = try await Subprocess.run(
                .name(command[0]),
                arguments: Arguments(Array(command.dropFirst())),
                output: .discarded,
                error: .string(limit: 4096)
            )
            guard !result.terminationStatus.isSuccess else { return }
            let reason = result.standardError.split(separator: "\n").last ?? ""
            throw DrillError.impossibleHere("'\(line)' does not work here: \(reason)")
        } catch let error as DrillError {
            throw error
        } catch {
            throw .impossibleHere("'\(line)' cannot be run here: \(error)")
        }
    }
}
