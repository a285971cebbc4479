import Control
import EventDelivery
import Files
import Foundation
import Logging
import MediaCore
import Operations
import PackagerConfig

/// Applies configuration changes, of the process and of single channels: one after another, each as a whole or not at
/// all.
actor ConfigurationReloader: OperatedConfiguration {
    private let running: RunningConfiguration
    private let source: ConfigurationSource
    private let host: ChannelHost
    private let records: EventRecords
    private let watch: ConfigurationWatch
    private var latest: Task<Void, Never>?
    /// The salt of entity tags, so that they do not reveal secrets.
    private let salt = UInt64.random(in: 0...UInt64.max)

    /// - Parameters:
    ///   - running: The configuration by which the process runs.
    ///   - source: The files from which the configuration is read again, and where changes of channels are kept.
    ///   - host: The host of the channels.
    ///   - records: Keeps events as the configuration says, and gets the results.
    ///   - clock: The clock, in UTC.
    ///   - logger: Gets the results.
    init(
        _ running: RunningConfiguration,
        _ source: ConfigurationSource,
        _ host: ChannelHost,
        _ records: EventRecords,
        clock: any UTCClock,
        logger: Logger
    ) {
        self.running = running
        self.source = source
        self.host = host
        self.records = records
        watch = ConfigurationWatch(events: records.log, clock: clock, logger: logger)
    }

    @discardableResult
    func reload(isRehearsal: Bool, for requester: Requester?) async throws(ReloadRefusal) -> ReloadReport {
        try await inTurn { reloader in await reloader.reloaded(isRehearsal, requester) }
    }

    nonisolated func description(of channel: String) -> ChannelDescription? {
        running.texts.channel(channel).map(description)
    }

    func edit(
        _ channel: String,
        _ edit: ChannelEdit,
        where precondition: Precondition,
        isRehearsal: Bool,
        for requester: Requester
    ) async throws(EditRefusal) -> EditReport {
        try await inTurn { reloader in await reloader.edited(channel, edit, precondition, isRehearsal, requester) }
    }

    /// Runs work in its turn, while the configuration does not change.
    ///
    /// A task that is cancelled does not wait for its turn, since a change may hang on a file system.
    func whileNothingChanges(_ work: @concurrent @Sendable () async -> Void) async {
        let previous = latest
        let (turn, end) = AsyncStream<Never>.makeStream()
        latest = Task {
            await previous?.value
            for await _ in turn {}
        }
        defer { end.finish() }
        await ReloadService.unlessCancelled { await previous?.value }
        if !Task.isCancelled { await work() }
    }

    private nonisolated func description(_ document: ChannelDocument) -> ChannelDescription {
        ChannelDescription(json: document.json, entityTag: document.entityTag(salt: salt))
    }

    /// Runs work once all earlier requests are done.
    private func inTurn<Value: Sendable, Refusal: Error>(
        _ work: @escaping @Sendable (ConfigurationReloader) async -> Result<Value, Refusal>
    ) async throws(Refusal) -> Value {
        let previous = latest
        let task = Task {
            await previous?.value
            return await work(self)
        }
        latest = Task { _ = await task.value }
        return try await task.value.get()
    }

    private func reloaded(
        _ isRehearsal: Bool,
        _ requester: Requester?
    ) async -> Result<ReloadReport, ReloadRefusal> {
        do throws(ReloadRefusal) {
            let (before, texts) = (running.texts, try await texts())
            let (report, change) = try await take(texts, isRehearsal)
            if !isRehearsal { watch.logChange("was read again", requester, change, texts.changes(from: before)) }
            return .success(report)
        } catch {
            if !isRehearsal { watch.tellRefusal("was to be read again", requester, error) }
            return .failure(error)
        }
    }

    /// Reads the files on a thread of its own, so that a file system that hangs blocks no other work.
    private func texts() async throws(ReloadRefusal) -> ConfigurationTexts {
        let result = await withCheckedContinuation { continuation in
            Thread.detachNewThread { [source] in continuation.resume(returning: Result { try source.texts() }) }
        }
        do {
            return try result.get()
        } catch {
            throw ReloadRefusal(error)
        }
    }

    private func edited(
        _ name: String,
        _ edit: ChannelEdit,
        _ precondition: Precondition,
        _ isRehearsal: Bool,
        _ requester: Requester
    ) async -> Result<EditReport, EditRefusal> {
        var texts = running.texts
        let before = texts.channel(name)
        guard precondition.allows(before?.entityTag(salt: salt)) else { return .failure(.preconditionFailed) }
        guard source.overlayPath != nil else { return .failure(.cannotBeKept(Self.noPlace)) }
        do throws(EditRefusal) {
            let after = try Self.apply(edit, to: before, name)
            if let after {
                texts.overlay.put(after)
            } else {
                texts.overlay.remove(name, isInFile: texts.channelOfFile(name) != nil)
            }
            let outcome: (report: ReloadReport, change: ConfigurationChange)
            do throws(ReloadRefusal) {
                outcome = try await take(texts, isRehearsal) { overlay throws(FileError) in
                    try self.source.keep(overlay)
                }
            } catch {
                if !isRehearsal { watch.tellRefusal("of channel \(name) was to change", requester, error) }
                throw error.isForbidden
                    ? .forbidden(error.problems)
                    : error.isOfKeeping ? .cannotBeKept(error.problems) : .refused(error.problems)
            }
            if !isRehearsal {
                let values = ChannelDocument.changes(from: before, to: after)
                watch.logChange("of channel \(name) was changed", requester, outcome.change, values)
            }
            return .success(EditReport(before == nil, outcome.report, after.map(description)))
        } catch {
            return .failure(error)
        }
    }

    private static let noPlace = [
        "changes to channels cannot be kept without a configuration file; start with --config or --channels"
    ]

    private static func apply(
        _ edit: ChannelEdit,
        to document: ChannelDocument?,
        _ name: String
    ) throws(EditRefusal) -> ChannelDocument? {
        if document == nil, !edit.isPut { throw .unknownChannel }
        do throws(ChannelDocument.Invalid) {
            return switch edit {
            case .put(let text): try ChannelDocument(name: name, text: text, replacing: document)
            case .patch(let text): try document?.patched(text)
            case .remove: nil
            }
        } catch {
            throw .malformed(error.message)
        }
    }

    /// Applies the written configuration to the process.
    ///
    /// - Parameters:
    ///   - texts: The configuration as text.
    ///   - isRehearsal: True if nothing is to be changed.
    ///   - keep: Stores the changes of channels; if it throws, none of them is applied.
    /// - Returns: The changes, for people and for programs.
    /// - Throws: ``ReloadRefusal``; then nothing has changed.
    private func take(
        _ texts: ConfigurationTexts,
        _ isRehearsal: Bool,
        keep: (ChannelOverlay) throws(FileError) -> Void = { _ in }
    ) async throws(ReloadRefusal) -> (ReloadReport, ConfigurationChange) {
        let wanted: Configuration
        let reading: ConfigurationReading
        do {
            reading = try source.read(texts)
            wanted = try reading.checked()
        } catch {
            throw ReloadRefusal(error)
        }
        let change = ConfigurationChange(from: running.value, to: wanted)
        let webhooks: [Webhook]
        do throws(SetupError) {
            webhooks = try records.webhooks(wanted)
            try await host.rehearse(change)
        } catch {
            throw ReloadRefusal(reading.located(error.items).map(\.description))
        }
        let cuts = host.disconnections(by: change)
        if !isRehearsal {
            do throws(FileError) {
                try keep(texts.overlay)
            } catch {
                throw ReloadRefusal(["the changes of channels cannot be stored: \(error)"], isOfKeeping: true)
            }
            do throws(SetupError) {
                try await host.apply(change)
            } catch {
                // The overlay was kept before, and can be kept again.
                try? keep(running.texts.overlay)
                throw ReloadRefusal(error.problems)
            }
            for cut in cuts { watch.logCut(cut) }
            let before = running.value.warnings
            for warning in wanted.warnings where !before.contains(where: warning.repeats) { watch.logWarning(warning) }
            running.become(wanted, of: texts)
            host.updateLimits()
            records.take(up: wanted, webhooks)
            // The delay lets the last readers of replaced channels end.
            ProcessTuning.returnFreeMemory(after: .seconds(2))
        }
        return (ReloadReport(change, warnings: wanted.warnings.map(\.description) + cuts), change)
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

extension ReloadRefusal {
    /// - Parameter error: The reason why a configuration could not be read.
    fileprivate init(_ error: any Error) {
        switch error {
        case let error as ConfigurationProblems:
            self.init(error.problems.map(\.description), isForbidden: error.problems.contains(where: \.isForbidden))
        case let error as FileError: self.init(["\(error)"])
        default: self.init([error.localizedDescription])
        }
    }
}
