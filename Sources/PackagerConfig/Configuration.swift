package import Logging

/// What one process is asked to do.
package struct Configuration: Hashable, Sendable {
    /// Where the public origin listens.
    package var listen: ListenAddress
    /// Where the operator face listens.
    package var control: ListenAddress
    /// The least severe of what is logged.
    package var logLevel: Logger.Level
    /// Connections to the public origin from one address; nil for half of all there may be.
    package var connectionsPerAddress: Int?
    /// At least one; their names differ.
    package var channels: [ChannelConfiguration]
    /// What works but may not be what was meant.
    package var warnings: [ConfigurationProblem] = []
}
