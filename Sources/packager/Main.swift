import ArgumentParser
import Glibc
import Operations

/// Runs a command and ends with its exit code: 0 for success, 1 for an internal failure, 2 for bad usage or
/// configuration.
@main
enum Main {
    static func main() async {
        StandardStreams.prepare()
        // Help without a command shows the flags of the default command.
        if ["--help", "-h"].contains(CommandLine.arguments.dropFirst().joined(separator: " ")) {
            return print("\(Packager.helpMessage(for: Run.self))\n\n\(Packager.commandList)")
        }
        do {
            var command = try Packager.parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            end(EXIT_SUCCESS)
        } catch let code as ExitCode {
            end(code.rawValue)
        } catch {
            let code = Packager.exitCode(for: error)
            // The argument parser uses EX_USAGE, which is 64.
            guard code == .validationFailure else { Packager.exit(withError: error) }
            let complaint = Packager.unknownCommand(in: CommandLine.arguments.dropFirst())
            LineWriter.standardError.write(complaint ?? Packager.fullMessage(for: error))
            exit(2)
        }
    }

    /// Ends the process at once: at a normal end (atexit), libraries destroy objects that other threads still use, and
    /// OpenSSL frees its locks there.
    private static func end(_ code: CInt) -> Never {
        fflush(nil)
        StandardStreams.flush()
        _exit(code)
    }
}
