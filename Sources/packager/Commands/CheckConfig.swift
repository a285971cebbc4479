import ArgumentParser
import Hosting
import Logging
import MediaCore
import Operations
import PackagerConfig

/// `packager check-config`: reports the problems of a configuration before it is used.
struct CheckConfig: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-config",
        abstract: "Checks a configuration file and everything that it names, and reports all problems at once.",
        discussion: """
            It checks files, secrets, certificates, slates and directories as `packager --config FILE` would use them, \
            and changes nothing. Problems and warnings have the file and the line. --as-service also listens at each \
            address for a moment and creates a file in each directory: run it as the service's user while no packager \
            runs. --running also shows what would change if a packager with another file reloaded this one (SIGHUP, or \
            POST /reload of the control API).

              packager check-config Config/packager.yaml
              packager check-config new.yaml --running /etc/packager/packager.yaml

            Exit codes: 0 the file can be used, perhaps with warnings, 2 it cannot.
            """
    )

    @Argument(help: ArgumentHelp("Configuration in YAML.", valueName: "file"), completion: .file(extensions: ["yaml"]))
    var file: String

    @Option(
        help: ArgumentHelp("The configuration of a running packager, to show what would change.", valueName: "file"),
        completion: .file(extensions: ["yaml"])
    )
    var running: String?

    @Option(
        help: ArgumentHelp("The file with the channels that the control API has changed.", valueName: "file"),
        completion: .file(extensions: ["yaml"])
    )
    var channels: String?

    @Flag(help: "Also check that this user can listen at all addresses and write to all directories.")
    var asService = false

    func run() async throws {
        var logger = Logger(label: "packager") { _ in LineLogHandler() }
        // Problems are printed here.
        logger.logLevel = .critical
        let wanted: Configuration
        let check: ConfigurationCheck
        let security: ListenerSecurity
        let notices: [ConfigurationProblem]
        do {
            (wanted, check, security, notices) = try await checked(file, logger)
        } catch {
            throw failure("\(error)")
        }
        for warning in wanted.warnings { print("\(warning.origin): warning: \(warning.message)") }
        for warning in security.warnings(at: SystemClock().now) { print("\(file): warning: \(warning)") }
        for notice in notices { print("\(notice.origin): notice: \(notice.message)") }
        let change = try running.map { try self.change(from: $0, to: wanted, check) }
        let count = wanted.channels.count
        print("\(file) can be used: \(count == 1 ? "1 channel" : "\(count) channels")")
        if let running, let change { print("a packager with \(running) would reload it: \(change)") }
    }

    /// Finds the change that a packager with another file would make.
    ///
    /// - Throws: The exit code, if it would refuse the change.
    private func change(
        from running: String,
        to wanted: Configuration,
        _ check: ConfigurationCheck
    ) throws -> ConfigurationChange {
        let before: Configuration
        do {
            let source = ConfigurationSource(path: running, overlayPath: channels)
            before = try source.read(try source.texts()).checked()
        } catch {
            throw failure("\(running): \(error)")
        }
        let problems = check.problems(after: before).map(\.description)
        if !problems.isEmpty { throw failure(SetupError(problems).description) }
        return ConfigurationChange(from: before, to: wanted)
    }

    private func checked(
        _ path: String,
        _ logger: Logger
    ) async throws -> (Configuration, ConfigurationCheck, ListenerSecurity, [ConfigurationProblem]) {
        let source = ConfigurationSource(path: path, overlayPath: channels)
        let reading = try source.read(try source.texts())
        let security = ListenerSecurity(reading)
        let check = ConfigurationCheck(
            reading: reading,
            endpoint: await KeyEndpoint(reading, logger: logger),
            security: security,
            environment: source.environment,
            logger: logger
        )
        let service =
            asService ? reading.located(ServiceCheck(reading.configuration, overlay: source.overlayPath).problems) : []
        return (try reading.checked(or: await check.problems + service), check, security, reading.notices)
    }

    private func failure(_ message: String) -> ExitCode {
        LineWriter.standardError.complain("packager: \(message)")
        return ExitCode(2)
    }
}
