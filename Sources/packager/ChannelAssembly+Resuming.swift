import Archive
import Channels
import Logging
import MediaCore
import PackagerConfig
import Presentation
import Segmenting
import Timeline

/// What was published before.
extension ChannelAssembly {
    /// Lets a channel go on from its peer, if that answers, else from its journal.
    ///
    /// - Returns: What is to be done once its inputs are read; nil for nothing.
    func goOn(
        _ channel: Channels.Channel,
        from saved: RestoredWindow?,
        _ settings: ChannelConfiguration,
        _ identity: [String: String],
        _ peer: PeerWatch?
    ) async throws(SetupError) -> (@Sendable () async -> Void)? {
        let grid = channel.configuration.grid
        if let ahead = grid.implausibleLead(of: saved?.window.lastNumber, at: clock.now) {
            throw SetupError(
                """
                channel \(settings.name): what was published before ends \(Int(ahead.seconds)) s ahead of this machine's \
                clock, which must have been set back since. Set the clock, or remove the journal in the state directory \
                to begin anew.
                """
            )
        }
        var restored = saved
        if let peer {
            let reader = PeerWindowReader(watch: peer, maximumBytes: settings.maximumMemory)
            if let answer = try await ask(reader, identity, continuing: saved) {
                let window = answer.window
                if let ahead = grid.implausibleLead(of: window.window.lastNumber, at: clock.now) {
                    // Its fault must not keep this one from the air.
                    peer.note(
                        "its window ends \(Int(ahead.seconds)) s ahead of this machine's clock: "
                            + "\(Self.cause(peerClock: answer.clock, at: clock.wallClock)). This packager starts without it"
                    )
                } else if !answer.isJoining, channel.canJoin(window.window, at: clock.now) {
                    // Two that wait for each other would both publish nothing.
                    channel.beginJoining(window)
                    let newest = window.window.lastNumber
                    return {
                        await reader.lead(continuing: newest, known: { channel.windowOfPeer }) {
                            channel.peerPublished($0)
                        }
                    }
                } else {
                    restored = window
                }
            }
        }
        guard let restored else { return nil }
        // What is too old to be listed is not gone on with slot by slot.
        if channel.restore(restored) > 0 { channel.resume(restored.window) }
        return nil
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

    /// Why a peer's window lies in the future, as far as the clock that it answers by tells.
    private static func cause(peerClock: MediaTime?, at now: MediaTime) -> String {
        guard let peerClock else { return "which of the two clocks is wrong is not known" }
        let difference = (peerClock - now).milliseconds
        // Date counts whole seconds, and an answer takes its time.
        guard abs(difference) > 2_500 else { return "its clock agrees with this one, so its feed runs ahead of time" }
        let side = difference > 0 ? "ahead of" : "behind"
        return "its clock is \(abs(difference) / 1_000) s \(side) this one, so one of the two is wrong"
    }
}
