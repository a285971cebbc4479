import Control
import Logging
import Operations
import PackagerConfig
import TestSupport

@testable import Hosting

/// A process with a configuration in memory, whose channels read nothing.
struct ReloadStage: Sendable {
    let channels = Stage()
    let files: MemoryFiles
    let running: RunningConfiguration
    let records: EventRecords
    let reloader: ConfigurationReloader
    let log = LogLines()

    /// Two channels, as a file names them.
    static let two = file(
        "- {name: a, input: \(Repository.smallFeed), loop: true}",
        "- {name: b, input: \(Repository.smallFeed), loop: true}"
    )

    static func file(_ channels: String..., head: String = "") -> String {
        """
        segment-duration: 1
        api-allow: [\(Repository.smallFeed)]
        \(head)
        channels:
        \(channels.map { "  \($0)" }.joined(separator: "\n"))

        """
    }

    init(_ text: String = two) async throws {
        files = MemoryFiles(text)
        var source = ConfigurationSource(path: "packager.yaml")
        source.environment = [:]
        source.storage = files
        let texts = try source.texts()
        let configuration = try source.read(texts).checked()
        running = RunningConfiguration(configuration, of: texts)
        let logger = log.logger
        let clock = StoppedClock()
        records = await EventRecords(configuration, environment: [:], clock: clock, logger: logger) {}
        reloader = ConfigurationReloader(running, source, channels.host, records, clock: clock, logger: logger)
        try await channels.host.add(configuration.channels)
    }

    /// The events recorded since the start, oldest first.
    var events: [ChannelEvent] { records.log.entries(after: records.log.origin).map(\.event) }

    /// Reads the file again, as a signal has it done.
    @discardableResult
    func reload(_ text: String?, isRehearsal: Bool = false) async throws(ReloadRefusal) -> ReloadReport {
        files.write(text)
        return try await reloader.reload(isRehearsal: isRehearsal, for: nil)
    }
}
