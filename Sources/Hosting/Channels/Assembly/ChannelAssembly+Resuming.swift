import Archive
import Channels
import Logging
import MediaCore
import PackagerConfig
import Presentation
import Segmenting
import Timeline

/// Resumption of the window that was published before.
extension ChannelAssembly {
    /// Lets a channel continue from its peer, if that answers, else from its journal.
    ///
    /// - Returns: The work that is to be done once its inputs are read; nil for none.
    func resume(
        _ channel: Channels.Channel,
        from saved: RestoredWindow?,
        _ settings: ChannelConfiguration,
        _ identity: [String: String],
        _ peer: PeerWatch?
    ) async throws(SetupError) -> (@Sendable () async -> Void)? {
        let grid = channel.configuration.grid
        if let problem = Resumption.problem(ofJournal: saved?.window.lastNumber, grid: grid, at: clock.now) {
            throw SetupError("channel \(settings.name): \(problem)")
        }
        var restored = saved
        if let peer {
            let reader = PeerWindowReader(watch: peer, maximumBytes: settings.maximumMemory)
            if let answer = try await ask(reader, identity, continuing: saved) {
                let window = answer.window
                let newest = window.window.lastNumber
                let resumption = Resumption(
                    after: newest,
                    isPeerJoining: answer.isJoining,
                    peerClock: answer.clock,
                    canJoin: channel.canJoin(window.window, at: clock.now),
                    grid: grid,
                    clock: clock
                )
                switch resumption {
                case .fromPeer: restored = window
                case .withoutPeer(let problem): peer.note("\(problem). This packager starts without it")
                case .joiningPeer:
                    channel.beginJoining(window)
                    return {
                        await reader.lead(continuing: newest, known: { channel.windowOfPeer }) {
                            channel.peerPublished($0)
                        }
                    }
                }
            }
        }
        if let restored { channel.restore(restored) }
        return nil
    }

    /// Returns true if a window is newer than another one, or has more bytes if both end alike.
    static func isBetter(_ one: RestoredWindow?, than other: RestoredWindow?) -> Bool {
        guard let one, let other else { return one != nil }
        func rank(_ window: RestoredWindow) -> (Int64, Int) {
            (window.window.lastNumber?.value ?? -1, window.bodies.count + window.stored.count)
        }
        return rank(one) > rank(other)
    }

    private func ask(
        _ reader: PeerWindowReader,
        _ identity: [String: String],
        continuing saved: RestoredWindow?
    ) async throws(SetupError) -> PeerWindowReader.Answer? {
        do throws(PeerDisagreement) {
            return try await reader.window(
                configuration: identity,
                defaults: ChannelConfiguration.identityOfDefaults,
                mayDiffer: { ChannelConfiguration.effect(of: $0) == .rolling },
                continuing: saved
            )
        } catch {
            throw SetupError("\(error)")
        }
    }
}
