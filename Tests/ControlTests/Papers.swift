import Synchronization

@testable import Control

/// A configuration that is reported on as it was made, and remembers what was asked of it.
final class Papers: OperatedConfiguration {
    struct Request: Hashable {
        var channel: String
        var edit: ChannelEdit
        var isRehearsal: Bool
    }

    let requests = Mutex<[Request]>([])
    let reloads = Mutex<[Requester?]>([])
    private let report: ReloadReport?
    private let refusal: EditRefusal?

    /// - Parameters:
    ///   - report: What has changed; nil for what only a restart can change.
    ///   - refusal: Why nothing can be edited.
    init(_ report: ReloadReport? = nil, refusal: EditRefusal? = nil) {
        (self.report, self.refusal) = (report, refusal)
    }

    func reload(isRehearsal: Bool, for requester: Requester?) async throws(ReloadRefusal) -> ReloadReport {
        reloads.withLock { $0.append(requester) }
        guard var report else { throw ReloadRefusal(["listen: only a restart can change this"]) }
        if isRehearsal { report.removed = ["c"] }
        return report
    }

    func description(of channel: String) -> ChannelDescription? {
        channel == "live" ? ChannelDescription(json: #"{"name":"live"}"#, entityTag: "\"1\"") : nil
    }

    func edit(
        _ channel: String,
        _ edit: ChannelEdit,
        where precondition: Precondition,
        isRehearsal: Bool,
        for requester: Requester
    ) async throws(EditRefusal) -> EditReport {
        let before = description(of: channel)
        guard precondition.allows(before?.entityTag) else { throw .preconditionFailed }
        if let refusal { throw refusal }
        requests.withLock { $0.append(Request(channel: channel, edit: edit, isRehearsal: isRehearsal)) }
        let report = ReloadReport(added: [channel], changed: [], removed: [], unchanged: [], warnings: [])
        return EditReport(
            before == nil,
            report,
            edit == .remove ? nil : ChannelDescription(json: "{}", entityTag: "\"2\"")
        )
    }
}
