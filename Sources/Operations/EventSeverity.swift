package import Logging

extension ChannelEvent {
    /// How bad an event is; raw values are what the control API calls them.
    package enum Severity: String, Sendable, CaseIterable {
        /// All is well, or is again.
        case info
        /// Viewers notice nothing yet, or little.
        case warning
        /// Viewers miss something, or something is at risk that cannot be made good.
        case error

        /// As bad as a line of the log that says the same.
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
    /// How bad an event of this kind is where nothing else is said.
    package var usualSeverity: ChannelEvent.Severity {
        switch self {
        case .inputOpened, .inputReturned, .inputEnded, .tracks, .onAir, .media, .splice, .discontinuity, .aligned,
            .timing, .selected, .restored, .configuration, .command:
            .info
        case .inputLost, .inputProblem, .inputHealth, .switched, .peer, .journal, .output, .memory, .clock, .keys,
            .endpoint, .connections, .publisherRefused, .accessRefused, .configurationRefused, .events, .webhook:
            .warning
        case .gap, .filler: .error
        }
    }
}
