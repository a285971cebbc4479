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
        let named = Dictionary(grouping: targets, by: \.destination.name)
        return targets.map { target in
            var target = target
            target.destination.namesItsServer = named[target.destination.name, default: []].count > 1
            return target
        }
    }

    /// - Parameters:
    ///   - targets: The destinations.
    ///   - settings: The settings of the channel.
    ///   - localizedNames: The names of renditions in other languages, as JSON, for an object beside the playlists.
    ///   - recordings: The finished recordings; nil if nothing is recorded.
    /// - Returns: The pushes of the channel, one for each destination.
    /// - Throws: ``SetupError`` if the directory of the backlog, or the ledger of recordings, cannot be used.
    func pushes(
        to targets: [PushTarget],
        _ settings: ChannelConfiguration,
        localizedNames: ByteBuffer?,
        recordings: (any RecordingSource)?
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
                destination: target.destination.shownName,
                events: events,
                clock: clock,
                logger: logger
            )
            pushes.append(
                Push(
                    store,
                    number: index,
                    expiry: target.description.expired == .keep ? .keep : .delete,
                    rate: target.description.rate,
                    backlog: try backlog(of: target, settings),
                    recordings: try recordingPush(to: store, of: recordings, target, settings, watch),
                    constants: localizedNames.map { [SessionDatum.localizedNamesFile: $0] } ?? [:],
                    leftoverSlots: settings.isRealtime ? Self.leftoverSlots(settings) : 0,
                    isShared: settings.peer != nil && target.description.bucket != nil,
                    waits: !settings.isRealtime,
                    // A job may end right after its last requests.
                    calm: settings.isRealtime ? .seconds(15) : .zero
                ) { watch.note($0) }
            )
        }
        return pushes
    }

    /// The most slots that an earlier process may have left in a store: the listed ones, and those that had left the
    /// window and could still be fetched.
    private static func leftoverSlots(_ settings: ChannelConfiguration) -> Int {
        2 * (Int(settings.window.ticks / settings.segmentDuration.ticks) + 2)
    }

    /// Makes the push of finished recordings to a destination; nil if none are sent.
    private func recordingPush(
        to store: ObjectStore,
        of recordings: (any RecordingSource)?,
        _ target: PushTarget,
        _ settings: ChannelConfiguration,
        _ watch: PushWatch
    ) throws(SetupError) -> RecordingPush? {
        guard target.description.sendsRecordings, let recordings, let directory = settings.recording.directory else {
            return nil
        }
        let name = target.folder
        do throws(FileError) {
            // The ledger lies next to the recordings: if both are lost, no recording is taken for removed.
            let ledger = try RecordingLedger(directory: "\(directory)/\(settings.name)/recordings/.push-\(name)")
            return RecordingPush(store, of: recordings, ledger: ledger) { watch.note($0) }
        } catch {
            throw SetupError("record", of: settings.name, "\(error)")
        }
    }

    /// The directory of files that are sent later; nil if there is no backlog.
    private func backlog(of target: PushTarget, _ settings: ChannelConfiguration) throws(SetupError) -> PushBacklog? {
        guard let state = settings.state, settings.isRealtime, target.description.expired == .keep else { return nil }
        let name = target.folder
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

extension PushTarget {
    /// The name of the folder of what is known of it: destinations may be given in another order the next time.
    ///
    /// A bucket of the same name at another store has none of the objects that were sent to this one.
    fileprivate var folder: ContentHash {
        .everyByte(of: ByteBuffer(string: "\(description.endpoint ?? "") \(destination.name)"))
    }
}
