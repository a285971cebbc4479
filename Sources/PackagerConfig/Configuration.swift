package import Logging

/// What one process is asked to do.
///
/// What a property begins with is the default of its setting.
package struct Configuration: Hashable, Sendable {
    /// Where the public origin listens.
    package var listen = ListenAddress(host: "127.0.0.1", port: 8080)
    /// Where the operator face listens.
    package var control = ListenAddress(host: "127.0.0.1", port: 8081)
    /// Connections to the public origin from one address; nil for half of all there may be.
    package var connectionsPerAddress: Int?
    /// The least severe of what is logged.
    package var logLevel = Logger.Level.info
    /// At least one; their names differ.
    package var channels: [ChannelConfiguration] = []
    /// What works but may not be what was meant.
    package var warnings: [ConfigurationProblem] = []
}
