package import Foundation

/// The real program on a free port.
package final class PackagerProcess: Sendable {
    package let program: Program
    /// The URL without a slash at its end.
    package let origin: String

    /// Starts it and waits until it listens.
    ///
    /// - Parameters:
    ///   - arguments: But for where it listens.
    ///   - port: Where it listens; 0 for any.
    ///   - input: Standard input: a pipe of another program's output, or nothing.
    ///   - control: The port of the control API; 0 for any.
    ///   - openFiles: How many files it may have open; nil for as many as this process.
    /// - Throws: What it says if it does not start.
    package init(
        _ arguments: [String],
        port: Int = 0,
        input: Pipe? = nil,
        control: Int = 0,
        openFiles: Int? = nil
    ) async throws {
        let listening = ["--listen", "127.0.0.1:\(port)", "--control", "127.0.0.1:\(control)"]
        let limit = openFiles.map { ["prlimit", "--nofile=\($0)"] } ?? []
        let command = limit + [Repository.packager] + arguments + listening
        let program = try Program(command[0], Array(command.dropFirst()), input: input)
        self.program = program
        origin = try await eventually(within: 30, "packager listens") {
            let line = program.output.split(separator: "\n").first { $0.hasPrefix("listening http") }
            if line == nil, !program.isRunning { throw Program.Failure(description: program.errors) }
            return line.map { String($0.dropFirst("listening ".count).drop { $0 == "/" }.dropLast()) }
        }
    }

    deinit {
        program.kill()
    }

    /// The URL of its control API, without a slash at its end.
    package var control: String { get throws { try address("control") } }

    /// Finds a listener's URL in standard output.
    ///
    /// - Parameter word: The listener's name there: `listening`, `control` or `keys`.
    /// - Returns: The URL, without a slash at its end.
    /// - Throws: ``Program/Failure`` if there is none.
    package func address(_ word: String) throws -> String {
        let line = program.output.split(separator: "\n").first { $0.hasPrefix("\(word) http") }
        guard let line else { throw Program.Failure(description: "no line \"\(word)\": \(program.output)") }
        return String(line.dropFirst(word.count + 1).dropLast())
    }

    package func url(_ path: String) -> String { "\(origin)/live/\(path)" }

    package func text(_ path: String) async throws -> String {
        String(decoding: try await HTTP.body(url(path)), as: UTF8.self)
    }

    /// Asks it to end and waits for that.
    ///
    /// - Returns: The exit code.
    @discardableResult
    package func end() async -> Int32 {
        program.terminate()
        return await program.exitCode()
    }
}
