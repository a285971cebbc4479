import Channels
import Ingest
import PackagerConfig
import Synchronization

/// Changes of the configuration: each is made as a whole, or not at all.
extension ChannelHost {
    /// Applies a new configuration as a whole, or not at all.
    ///
    /// Changed channels are served throughout: their replacements continue with their windows.
    ///
    /// - Throws: ``SetupError`` with everything that prevents it; then all is as before.
    func apply(_ change: ConfigurationChange) async throws(SetupError) {
        try await rehearse(change)
        let taken = try take(change.added.map(\.name))
        do throws(SetupError) {
            try await replace(change.changed, adding: change.added)
        } catch {
            for name in taken { free(name) }
            throw error
        }
        for channel in change.removed { _ = await remove(channel.name, ends: true) }
    }

    /// Finds problems that would keep a change from being applied, as far as they can be detected beforehand.
    ///
    /// - Throws: ``SetupError`` with everything that prevents it.
    func rehearse(_ change: ConfigurationChange) async throws(SetupError) {
        try requireChannels()
        let found = await factory.problems(of: change.added + change.changed, after: streamIdentities)
        let taken = conflicts(of: change.added + change.changed, removing: Set(change.removed.map(\.name)))
        let problems = (change.problems + taken).map { SetupProblem($0) } + found
        guard problems.isEmpty else { throw SetupError(problems) }
    }

    /// Puts channels in the places of those of their names, which continue being served until then, and others beside
    /// them.
    ///
    /// All are put together at once, since those of the programs of one feed have one reader.
    ///
    /// - Parameters:
    ///   - channels: The channels that already exist.
    ///   - added: The channels whose names were taken.
    /// - Throws: ``SetupError`` with everything that keeps them from it; then those that were there are again.
    private func replace(
        _ channels: [ChannelConfiguration],
        adding added: [ChannelConfiguration]
    ) async throws(SetupError) {
        let names = Set(channels.map(\.name))
        let before = state.withLock { $0.configurations.values.filter { names.contains($0.name) } }
        try claim(channels + added)
        var predecessors: [String: ChannelPredecessor] = [:]
        let members = names.compactMap { registry[$0[...]] as HostedChannel? }
        let connections = hold(members, for: channels, adding: added)
        let feeds = await openFeeds(of: members, for: channels, adding: added, beside: connections)
        for channel in members {
            await pause(channel)
            let settings = (before + channels).filter { $0.name == channel.name }
            let leavesDisk = Set(settings.map(WindowPlace.init)).count > 1
            predecessors[channel.name] = ChannelPredecessor(channel, leavesDisk: leavesDisk)
            predecessors[channel.name]?.connections = connections[channel.name] ?? [:]
        }
        resume(with: feeds, of: members, &predecessors)
        do throws(SetupError) {
            try await put(channels + added, after: predecessors)
        } catch {
            var items = error.items
            // Restore the former channels; if that fails, keep the changed ones without the added ones.
            let choices = added.isEmpty ? [before] : [before, channels]
            for choice in choices {
                reassign(feeds, from: channels, to: choice)
                guard let problem = await putBack(choice, after: predecessors) else { throw SetupError(items) }
                items += problem.items
            }
            state.withLock { $0.paused.subtract(names) }
            // No channel resumes these connections.
            for reader in connections.values.flatMap(\.values) { reader.stop() }
            throw SetupError(items)
        }
    }

    /// Restores closed channels with their former settings.
    ///
    /// - Returns: All obstacles; nil if they are restored.
    private func putBack(
        _ channels: [ChannelConfiguration],
        after predecessors: [String: ChannelPredecessor]
    ) async -> SetupError? {
        state.withLock { state in for channel in channels { state.configurations[channel.name] = channel } }
        do throws(SetupError) {
            try await put(channels, after: predecessors)
            return nil
        } catch {
            return error
        }
    }

    /// Reassigns feeds that were opened for refused channels to the channels that stay.
    private func reassign(
        _ feeds: [String: OpenFeed],
        from refused: [ChannelConfiguration],
        to channels: [ChannelConfiguration]
    ) {
        let (refused, kept) = (ChannelAssembly.feeds(of: refused), ChannelAssembly.feeds(of: channels))
        for (location, feed) in feeds {
            // A port with other allowed senders does not fit the former channels.
            let isTheSame = refused[location]?.allowedPublishers == kept[location]?.allowedPublishers
            if isTheSame { feed.release() } else { feed.close() }
        }
    }
}
