package import Logging

extension ChannelEvent {
    /// The severity of an event; raw values are its names in the control API.
    package enum Severity: String, Sendable, CaseIterable {
        /// All is well, or is again.
        case info
        /// Viewers notice nothing yet, or little.
        case warning
        /// Viewers miss something, or something is at risk that cannot be made good.
        case error

        /// The severity of a line of the log with this level.
        package init(_ level: Logger.Level) {
            self =
                switch level {
                case .trace, .debug, .info, .notice: .info
                case .warning: .warning
                case .error, .critical: .error
                }
        }
    }
}

extension ChannelEvent.Kind {
    /// The default severity of events of this kind.
    package var usualSeverity: ChannelEvent.Severity {
        switch self {
        case .inputOpened, .inputReturned, .inputEnded, .tracks, .onAir, .media, .splice, .discontinuity, .aligned,
            .timing, .selected, .restored, .configuration, .command:
            .info
        case .inputLost, .inputProblem, .inputHealth, .switched, .peer, .journal, .recording, .output, .push, .memory,
            .clock, .keys, .endpoint, .connections, .publisherRefused, .accessRefused, .configurationRefused, .events,
            .webhook:
            .warning
        case .gap, .filler: .error
        }
    }
}
