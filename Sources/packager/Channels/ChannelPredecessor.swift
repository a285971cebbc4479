import Channels
import Origin
import Presentation
import Scheduling
import Segmenting

/// What a channel leaves to another one of its name in the same process that takes its place.
struct ChannelPredecessor {
    /// What it lists, where nothing of that is on disk.
    var window: RestoredWindow?
    var streamIdentity: [String: String]
    var schedule: [ScheduleAction]
    /// The input that an operator has selected and holds.
    var heldInput: String?

    /// - Parameter channel: One that publishes nothing any more.
    init(_ channel: HostedChannel) {
        window = channel.service.journal == nil ? channel.origin.presentation.restorable : nil
        streamIdentity = channel.streamIdentity
        schedule = channel.service.channel.schedule.actions
        heldInput = channel.service.channel.latestStatus.held.first?.description
    }
}
