import Channels
import Ingest
import Operations
import Origin
import Presentation

/// The state that a channel leaves to another one of its name that takes its place, in this process or the one after
/// it.
struct ChannelPredecessor {
    /// The window, unless its successor finds it on disk.
    var window: RestoredWindow?
    var streamIdentity: [String: String]
    var schedule: [ScheduleAction]
    /// The inputs of the channel, in their order.
    var inputs: [FormerInput] = []
    /// The keys from its key source; nil if there are none, or they derive from a secret.
    var givenKeys: GivenKeys?
    /// Feeds that are open already, by location; nil if it left off before they were.
    var feeds: [String: OpenFeed]?
    /// The readers of held connections, by location.
    var connections: [String: InputReader] = [:]

    /// True if it waited for its peer, and had nothing of its own to continue with.
    var wasJoining = false

    /// True if its successor continues with its feeds, and with a window of its own.
    var continues: Bool { !wasJoining && (feeds != nil || !connections.isEmpty) }

    /// - Parameters:
    ///   - window: The window, unless it is on disk.
    ///   - streamIdentity: The settings that the numbers, names and keys of its segments depend on.
    ///   - schedule: The scheduled actions of people and programs.
    init(window: RestoredWindow?, streamIdentity: [String: String], schedule: [ScheduleAction]) {
        self.window = window
        self.streamIdentity = streamIdentity
        self.schedule = schedule
    }

    /// - Parameters:
    ///   - channel: A channel that has stopped publishing.
    ///   - leavesDisk: True if its successor does not find the files of this one.
    init(_ channel: HostedChannel, leavesDisk: Bool = false) {
        let isOnDisk = channel.service.journal != nil && !leavesDisk
        window = isOnDisk ? nil : channel.origin.presentation.restorable
        streamIdentity = channel.streamIdentity
        schedule = channel.service.channel.schedule.actions
        inputs = FormerInput.all(of: channel)
        wasJoining = channel.service.channel.isJoining
        givenKeys = channel.service.givenKeys()
    }
}
