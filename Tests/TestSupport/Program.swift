package import Foundation
import Synchronization

/// A program that a test runs, with what it has written.
package final class Program: Sendable {
    private let process: Process
    private let collected = Mutex((output: "", errors: ""))
    /// The reading ends of pipes whose writers may still be there.
    private let pipes = Mutex<[CInt]>([])
    private let exited = AsyncStream<Int32>.makeStream()

    package struct Failure: Error, CustomStringConvertible {
        package var description: String

        package init(description: String) { self.description = description }
    }

    /// Starts it.
    ///
    /// - Parameters:
    ///   - executable: A path, or a name to be found in PATH.
    ///   - arguments: Without the program's name.
    ///   - input: Standard input: a pipe of another program's output, or nothing.
    ///   - environment: Added to this process's.
    ///   - pipesOutput: Whether standard output goes to ``outputPipe`` instead of ``output``.
    /// - Throws: If it cannot be started.
    package init(
        _ executable: String,
        _ arguments: [String],
        input: Pipe? = nil,
        environment: [String: String] = [:],
        pipesOutput: Bool = false
    ) throws {
        let process = Process()
        let isPath = executable.contains("/")
        process.executableURL = URL(filePath: isPath ? executable : "/usr/bin/env")
        process.arguments = isPath ? arguments : [executable] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
        process.currentDirectoryURL = Repository.root
        process.standardInput = input ?? FileHandle.nullDevice
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        self.process = process
        outputPipe = output
        let exited = exited.continuation
        process.terminationHandler = { process in
            exited.yield(process.terminationStatus)
            exited.finish()
        }
        if !pipesOutput { collect(output) { $0.output += $1 } }
        collect(errors) { $0.errors += $1 }
        try Self.hearingSignals { try process.run() }
    }

    deinit {
        kill()
    }

    package let outputPipe: Pipe

    /// Starts a process that hears when it is asked to end: threads of Dispatch hear no signals, and what they start hears
    /// none either.
    private static func hearingSignals(_ start: () throws -> Void) rethrows {
        var (none, before) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try start()
    }

    /// True if everything that it and its children have written is in ``output`` and ``errors``.
    private var isDrained: Bool { pipes.withLock(\.isEmpty) }

    /// True if everything that was written until now is in ``output`` and ``errors``.
    private var isRead: Bool {
        // What is taken out of a pipe is added under the same lock.
        collected.withLock { _ in
            pipes.withLock { pipes in
                pipes.allSatisfy { pipe in
                    var request = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
                    return poll(&request, 1, 0) == 0 || request.revents & Int16(POLLIN) == 0
                }
            }
        }
    }

    private func collect(
        _ pipe: Pipe,
        into append: @escaping @Sendable (inout (output: String, errors: String), String) -> Void
    ) {
        let file = pipe.fileHandleForReading
        pipes.withLock { $0.append(file.fileDescriptor) }
        // A thread reads to the end and owns the file until then: with a handler of readability, the file could be
        // closed before the dispatch source that watches it is gone, which ends the test process now and then.
        Thread.detachNewThread { [weak self] in
            var buffer = [UInt8](repeating: 0, count: 65536)
            var request = pollfd(fd: file.fileDescriptor, events: Int16(POLLIN), revents: 0)
            while true {
                // Nobody is locked out while there is nothing to read.
                if poll(&request, 1, -1) < 0, errno == EINTR { continue }
                // Not `availableData`, which ends the test process where a signal interrupts it.
                let count =
                    self?.collected.withLock { text in
                        let count = read(file.fileDescriptor, &buffer, buffer.count)
                        if count > 0 { append(&text, String(decoding: buffer[..<count], as: UTF8.self)) }
                        return count
                    } ?? read(file.fileDescriptor, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
            }
            self?.pipes.withLock { pipes in pipes.removeAll { $0 == file.fileDescriptor } }
            // Foundation would keep it for long: of a test process with a thousand open files it looks through all to
            // start a program, and has crashed at that.
            try? file.close()
        }
    }

    package var output: String { collected.withLock { $0.output } }
    package var errors: String { collected.withLock { $0.errors } }
    package var isRunning: Bool { process.isRunning }
    package var identifier: Int32 { process.processIdentifier }

    /// Asks it to end.
    package func terminate() { if process.isRunning { process.terminate() } }

    /// Ends it without asking.
    package func kill() { if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) } }

    /// Its exit code, once it has ended and what it wrote is in ``output`` and ``errors``.
    ///
    /// A task that is cancelled does not wait for that.
    package func exitCode() async -> Int32 {
        let code = await terminationStatus()
        // The threads that read its pipes may be behind, and what it has started may continue writing.
        _ = try? await eventually(within: 10) { self.isRead ? true : nil }
        return code
    }

    private func terminationStatus() async -> Int32 {
        for await code in exited.stream { return code }
        // Asked for again, or cancelled: a process that still runs has no status yet, and asking for it would trap.
        kill()
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Runs a program to its end; a task that is cancelled ends it.
    ///
    /// - Returns: What it wrote to standard output.
    /// - Throws: ``Failure`` with what it wrote to standard error if its exit code is not 0.
    @discardableResult
    package static func run(
        _ executable: String,
        _ arguments: [String],
        environment: [String: String] = [:]
    ) async throws -> String {
        let program = try Program(executable, arguments, environment: environment)
        let code = await program.exitCode()
        // What it has started may still write.
        _ = try? await eventually(within: 10) { program.isDrained ? true : nil }
        guard code == 0 else {
            throw Failure(
                description:
                    "\(executable) \(arguments.joined(separator: " ")): exit code \(code)\n\(program.errors)\(program.output)"
            )
        }
        return program.output
    }
}
