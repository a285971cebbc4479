import Files
import MediaCore
import NIOCore
import ObjectStores
import PackagerConfig
import Playlists
import Presentation
import Timeline

/// Destinations that a channel is sent to.
extension ChannelAssembly {
    /// - Throws: ``SetupError`` with all destinations that cannot be used.
    func pushTargets(for settings: ChannelConfiguration) throws(SetupError) -> [PushTarget] {
        var problems: [SetupProblem] = []
        let targets = settings.push.enumerated().compactMap { index, description in
            do {
                return try PushTarget(description, environment: environment, now: { clock.wallClock }) as PushTarget?
            } catch {
                problems.append(SetupProblem("push", of: settings.name, at: index, "\(error)"))
                return nil
            }
        }
        if !problems.isEmpty { throw SetupError(problems) }
        return targets
    }

    /// - Parameters:
    ///   - targets: The destinations.
    ///   - settings: The settings of the channel.
    ///   - localizedNames: The names of renditions in other languages, as JSON, for an object beside the playlists.
    /// - Returns: What sends the channel to each of them.
    /// - Throws: ``SetupError`` if the directory of what is sent later cannot be used.
    func pushes(
        to targets: [PushTarget],
        _ settings: ChannelConfiguration,
        localizedNames: ByteBuffer?
    ) throws(SetupError) -> [Push] {
        var pushes: [Push] = []
        for (index, target) in targets.enumerated() {
            let store = ObjectStore(
                target.destination,
                target.credentials,
                connections: Push.lanes,
                targetDuration: settings.grid.targetDuration,
                authorities: target.authorities,
                now: { [clock] in clock.wallClock }
            )
            let watch = PushWatch(
                channel: settings.name,
                destination: target.destination.name,
                events: events,
                clock: clock,
                logger: logger
            )
            pushes.append(
                Push(
                    store,
                    number: index,
                    expiry: target.description.expired == .keep ? .keep : .delete,
                    backlog: try backlog(of: target, settings),
                    constants: localizedNames.map { [SessionDatum.localizedNamesFile: $0] } ?? [:],
                    isShared: settings.peer != nil && target.description.bucket != nil,
                    waits: !settings.isRealtime
                ) { watch.note($0) }
            )
        }
        return pushes
    }

    /// The directory of what is sent later; nil where nothing is.
    private func backlog(of target: PushTarget, _ settings: ChannelConfiguration) throws(SetupError) -> PushBacklog? {
        guard let state = settings.state, settings.isRealtime, target.description.expired == .keep else { return nil }
        // Destinations may be given in another order the next time.
        let name = ContentHash.everyByte(of: ByteBuffer(string: target.destination.name))
        do throws(FileError) {
            return try PushBacklog(
                directory: "\(state)/\(settings.name)/push-\(name)",
                limit: target.description.backlog
            )
        } catch {
            throw SetupError("state", of: settings.name, "\(error)")
        }
    }
}
