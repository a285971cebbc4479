import Operations
import PackagerConfig
import TestSupport

@testable import Hosting

/// Files of certificates and tokens, and the service that looks at them.
struct SecurityStage: Sendable {
    let directory: TemporaryDirectory
    let security: ListenerSecurity
    let events = EventLog()
    let log = LogLines()
    let clock = MovableClock()

    /// The path of the certificate that all listeners have.
    var certificate: String { directory.file("certificate.pem") }
    /// The path of the tokens of the control API.
    var tokens: String { directory.file("tokens") }

    /// The settings of a certificate for all listeners, by the names of the files.
    static let certificateSettings = ["tls-certificate": "certificate.pem", "tls-private-key": "private.key"]

    /// - Parameters:
    ///   - files: The contents of files, by name.
    ///   - settings: The files that settings name.
    /// - Throws: If a file cannot be written.
    init(_ files: [String: String], _ settings: [String: String] = certificateSettings) throws {
        let directory = try TemporaryDirectory()
        for (name, text) in files { _ = try directory.write(text, to: name) }
        self.directory = directory
        let lines = settings.map { "\($0.key): \(directory.file($0.value))\n" }.sorted()
        let text = "input: \(Repository.smallFeed)\nloop: true\n\(lines.joined())"
        security = ListenerSecurity(
            try Configuration.read(
                flags: [:],
                environment: [:],
                file: ConfigurationFile(name: "packager.yaml", text: text)
            )
        )
    }

    /// Runs the service until its last pause.
    ///
    /// - Parameter actions: The actions in its pauses, after each of which it looks at the files.
    /// - Returns: The lengths of the pauses.
    @discardableResult
    func run(_ actions: ScriptedPauses.Action...) async -> [Duration] {
        let pauses = ScriptedPauses(actions)
        await SecurityService(
            security: security,
            events: events,
            clock: clock,
            logger: log.logger,
            sleep: pauses.sleep
        ).run()
        return pauses.durations
    }

    /// Replaces a file.
    func write(_ text: String, to name: String) throws { _ = try directory.write(text, to: name) }

    /// The recorded events, oldest first.
    var recorded: [ChannelEvent] { events.entries().map(\.event) }
}
