import MediaCore
import PackagerConfig
import Packaging
import Presentation
import Timeline

/// What was published before.
extension Assembly {
    /// Lets a channel go on from its peer, if that answers, else from its journal.
    ///
    /// - Returns: What is to be done once its inputs are read; nil for nothing.
    func goOn(
        _ channel: Packaging.Channel,
        from saved: RestoredWindow?,
        _ settings: ChannelConfiguration,
        _ identity: [String: String],
        _ peer: PeerWatch?
    ) async throws(SetupError) -> (@Sendable () async -> Void)? {
        var restored = saved
        if let peer {
            let twin = Twin(url: peer.url, channel: settings.name, watch: peer)
            if let (window, isJoining) = try await twin.window(configuration: identity, continuing: saved) {
                // Two that wait for each other would both publish nothing.
                if !isJoining, channel.canJoin(window.window, at: clock.now) {
                    channel.beginJoining(window)
                    let newest = window.window.lastNumber
                    return { await twin.lead(channel, continuing: newest) }
                }
                restored = window
            }
        }
        guard let restored else { return nil }
        let grid = channel.configuration.grid
        if let ahead = restored.window.lastNumber.map({ grid.start(of: $0) - clock.now }), ahead > grid.slotDuration * 2
        {
            throw SetupError(
                """
                channel \(settings.name): what was published before is \(Int(ahead.seconds)) s ahead of this machine's clock. Set \
                the clock, or remove the journal in the state directory to begin anew.
                """
            )
        }
        // What is too old to be listed is not gone on with slot by slot.
        if channel.restore(restored) > 0 { channel.resume(restored.window) }
        return nil
    }
}
