import Logging
import PackagerConfig
import Synchronization
import TestSupport

@testable import Hosting

/// A program that is put together from a configuration in memory, and ends when a test is done with it.
struct ProgramStage: Sendable {
    let assembly: ProgramAssembly
    private let output: Output

    /// The lines on standard output.
    private final class Output: Sendable {
        /// The last line was written, or the program has ended.
        let end = Occurrence()
        private let lines = Mutex<[String]>([])

        var all: [String] { lines.withLock { $0 } }

        func write(_ line: String) {
            lines.withLock { $0.append(line) }
            if line.hasPrefix("listening ") { end.happen() }
        }
    }

    /// Settings of one channel, with listeners at any free port of this machine.
    ///
    /// - Parameter changes: The settings that are others, by name.
    /// - Returns: A configuration file.
    static func text(_ changes: [String: String] = [:]) -> String {
        let usual = [
            "input": Repository.smallFeed, "loop": "true", "listen": "127.0.0.1:0", "control": "127.0.0.1:0",
        ]
        return usual.merging(changes) { $1 }.map { "\($0.key): \($0.value)\n" }.sorted().joined()
    }

    /// - Parameters:
    ///   - text: The text of the configuration.
    ///   - environment: The variables of the process.
    /// - Throws: `ConfigurationProblems` if nothing would start.
    init(_ text: String = ProgramStage.text(), environment: [String: String] = [:]) async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let output = Output()
        var source = ConfigurationSource(path: "packager.yaml")
        source.environment = environment
        source.storage = MemoryFiles(text)
        let texts = try source.texts()
        let reading = try source.read(texts)
        let endpoint = await KeyEndpoint(reading, logger: logger)
        let security = ListenerSecurity(reading)
        let configuration = try reading.checked(or: endpoint.problems + security.problems)
        var assembly = await ProgramAssembly(
            configuration,
            of: texts,
            endpoint,
            security,
            source,
            version: "1.0",
            logger: logger
        )
        assembly.endingSignals = []
        assembly.writeLine = { output.write($0) }
        self.assembly = assembly
        self.output = output
    }

    /// The lines that were written to standard output.
    var lines: [String] { output.all }

    /// Returns the address that a line names; nil if there is none.
    func address(_ kind: String) -> String? {
        lines.first { $0.hasPrefix("\(kind) ") }.map { String($0.dropFirst(kind.count + 1)) }
    }

    /// Does something while the program runs, once it has said where it listens.
    func running(_ body: () async throws -> Void) async throws {
        let program = Task { [assembly, output] in
            defer { output.end.happen() }
            try await assembly.run()
        }
        defer { program.cancel() }
        await output.end.wait()
        try await body()
        program.cancel()
        _ = await program.result
    }

    /// Returns the problems that keep the program from starting.
    func refusal() async throws -> [SetupProblem] {
        do {
            try await assembly.run()
            return []
        } catch let error as SetupError {
            return error.items
        }
    }
}
