import PackagerConfig

/// Puts channels together from their configuration.
protocol ChannelFactory: Sendable {
    /// The master secrets that end with the process.
    var volatileSecrets: VolatileSecrets { get }

    /// Puts channels together, those of the programs of one feed with one reader.
    ///
    /// - Parameters:
    ///   - channels: As a configuration that was read and checked has them.
    ///   - predecessors: The state of the replaced channels, by name.
    /// - Returns: The channels, in their order.
    /// - Throws: ``SetupError`` with everything that keeps them from it.
    func assemble(
        _ channels: [ChannelConfiguration],
        after predecessors: [String: ChannelPredecessor]
    ) async throws(SetupError) -> [HostedChannel]

    /// Finds problems that would keep channels from being assembled, as far as they can be detected beforehand.
    ///
    /// - Parameters:
    ///   - channels: As a configuration that was read and checked has them.
    ///   - identities: By name, the settings that numbers and keys of those depend on that these take the places of.
    /// - Returns: The problems.
    func problems(
        of channels: [ChannelConfiguration],
        after identities: [String: [String: String]]
    ) async -> [SetupProblem]
}
