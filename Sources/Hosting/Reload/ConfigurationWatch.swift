import Control
import Logging
import MediaCore
import Operations
import PackagerConfig

/// Logs and records changes of the configuration.
struct ConfigurationWatch: Sendable {
    let events: EventLog
    let clock: any UTCClock
    let logger: Logger

    /// Reports a change.
    ///
    /// - Parameters:
    ///   - what: The change, as the end of a sentence about the configuration.
    ///   - requester: The client of the request; nil for SIGHUP.
    ///   - change: The channels that are added, changed and removed.
    ///   - values: The values that differ.
    func logChange(_ what: String, _ requester: Requester?, _ change: ConfigurationChange, _ values: [String]) {
        let values = values.joined(separator: "; ")
        logger.notice(
            "configuration applied",
            metadata: ["change": "\(change)", "values": "\(values)"].merging(Self.fields(requester)) { $1 }
        )
        let details = values.isEmpty ? "" : " (\(values))"
        note(.configuration, "The configuration \(what) \(Self.by(requester)): \(change)\(details).")
    }

    /// Reports a change that was refused; the parameters are as for one that was not.
    func tellRefusal(_ what: String, _ requester: Requester?, _ refusal: ReloadRefusal) {
        for problem in refusal.problems {
            let metadata: Logger.Metadata = [
                "problem": "\(problem)", "viewers": "they notice nothing: the old configuration stays in force",
                "do": "correct the problem, and try again",
            ]
            logger.error(
                "configuration refused, nothing has changed",
                metadata: metadata.merging(Self.fields(requester)) { $1 }
            )
        }
        let problems = refusal.problems.joined(separator: "; ")
        note(
            .configurationRefused,
            "The configuration \(what) \(Self.by(requester)), and nothing has changed: \(problems)."
        )
    }

    /// Logs that settings do not work well together.
    func logWarning(_ warning: ConfigurationProblem) {
        logger.warning(
            "configuration warning",
            metadata: [
                "problem": "\(warning)", "viewers": "that depends on the setting: see problem",
                "do": "change the setting (see problem), or leave it if you mean it",
            ]
        )
    }

    /// Logs that an encoder has to connect again; `what` says which.
    func logCut(_ what: String) {
        let metadata: Logger.Metadata = [
            "what": "\(what)",
            "viewers": "they miss what the encoder sends until it connects again, unless there is a backup",
            "do": "let the encoder connect again",
        ]
        logger.warning("encoder cut off by a change of its input", metadata: metadata)
    }

    private static func by(_ requester: Requester?) -> String { requester.map { "by \($0)" } ?? "by SIGHUP" }

    private static func fields(_ requester: Requester?) -> Logger.Metadata {
        ["who": "\(requester?.who ?? "SIGHUP")", "from": "\(requester?.from ?? "this machine")"]
    }

    private func note(_ kind: ChannelEvent.Kind, _ message: String) {
        events.append(
            ChannelEvent(time: clock.now, channel: ChannelEvent.allChannels, kind: kind, message: message)
        )
    }
}
