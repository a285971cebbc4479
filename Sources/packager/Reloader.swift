import Control
import Foundation
import Logging
import MediaCore
import Operations
import PackagerConfig
import Webhooks

/// Has the process do what its configuration says now: one after another, and each as a whole or not at all.
actor Reloader {
    private let running: RunningConfiguration
    private let source: ConfigurationSource
    private let host: ChannelHost
    private let records: EventRecords
    private let clock: SystemClock
    private let logger: Logger
    private var latest: Task<Void, Never>?

    /// - Parameters:
    ///   - running: What the process does.
    ///   - source: Where the configuration is read again.
    ///   - host: Has the channels.
    ///   - records: Keeps events as it says, and gets what came of it.
    ///   - clock: UTC.
    ///   - logger: Gets what came of it.
    init(
        _ running: RunningConfiguration,
        _ source: ConfigurationSource,
        _ host: ChannelHost,
        _ records: EventRecords,
        clock: SystemClock,
        logger: Logger
    ) {
        self.running = running
        self.source = source
        self.host = host
        self.records = records
        self.clock = clock
        self.logger = logger
    }

    /// Reads the configuration and takes up what it says.
    ///
    /// - Parameter isRehearsal: Whether it is only said what would change.
    /// - Returns: What has changed.
    /// - Throws: ``ReloadRefusal`` with everything that is wrong; then nothing has changed.
    @discardableResult
    func reload(isRehearsal: Bool = false) async throws(ReloadRefusal) -> ReloadReport {
        let previous = latest
        let task = Task {
            await previous?.value
            return await outcome(isRehearsal)
        }
        latest = Task { _ = await task.value }
        return try await task.value.get()
    }

    private func outcome(_ isRehearsal: Bool) async -> Result<ReloadReport, ReloadRefusal> {
        do throws(ReloadRefusal) {
            let wanted = try read()
            let change = ConfigurationChange(from: running.value, to: wanted)
            let webhooks: [Webhook]
            do throws(SetupError) {
                webhooks = try records.webhooks(wanted)
                if isRehearsal { try await host.rehearse(change) } else { try await host.apply(change) }
            } catch {
                throw ReloadRefusal(error.problems)
            }
            if !isRehearsal {
                running.value = wanted
                host.updateLimits()
                records.take(up: wanted, webhooks)
                tell(change)
            }
            return .success(ReloadReport(change, warnings: wanted.warnings.map(\.description)))
        } catch {
            if !isRehearsal { tell(error) }
            return .failure(error)
        }
    }

    private func read() throws(ReloadRefusal) -> Configuration {
        do {
            return try source.read().checked()
        } catch let error as ConfigurationProblems {
            throw ReloadRefusal(error.problems.map(\.description))
        } catch {
            throw ReloadRefusal(["\(error.localizedDescription)"])
        }
    }

    private func tell(_ change: ConfigurationChange) {
        logger.info("configuration taken up", metadata: ["change": "\(change)"])
        note("The configuration was read again: \(change).")
    }

    private func tell(_ refusal: ReloadRefusal) {
        for problem in refusal.problems {
            logger.error("configuration refused, nothing has changed", metadata: ["problem": "\(problem)"])
        }
        note("The configuration was read again, and nothing has changed: \(refusal.problems.joined(separator: "; ")).")
    }

    private func note(_ message: String) {
        records.log.append(
            ChannelEvent(time: clock.now, channel: ChannelEvent.allChannels, kind: .configuration, message: message)
        )
    }
}

extension ReloadReport {
    init(_ change: ConfigurationChange, warnings: [String]) {
        self.init(
            added: change.added.map(\.name),
            changed: change.changed.map(\.name),
            removed: change.removed.map(\.name),
            unchanged: change.unchanged,
            warnings: warnings
        )
    }
}
