/// What one process is asked to do.
package struct Configuration: Hashable, Sendable {
    /// Where the public origin listens.
    package var listen: ListenAddress
    /// Where the operator face listens.
    package var control: ListenAddress
    package var logLevel: LogLevel
    /// Connections to the public origin from one address; nil for half of all there may be.
    package var connectionsPerAddress: Int?
    /// At least one; their names differ.
    package var channels: [ChannelConfiguration]
    /// What works but may not be what was meant.
    package var warnings: [ConfigurationProblem] = []

    /// Severities that are logged, this one and all after it (the names of swift-log).
    package enum LogLevel: String, CaseIterable, Hashable, Sendable {
        case trace, debug, info, notice, warning, error, critical
    }
}
