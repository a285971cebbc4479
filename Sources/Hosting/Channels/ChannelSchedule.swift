import Archive
import Channels
import MediaCore
import Operations

/// The schedule that people or programs set for a channel: accepted by it, stored in its file, and sent to its peer.
struct ChannelSchedule {
    let channel: Channels.Channel
    /// The file that keeps it; nil if nothing is kept.
    let file: ScheduleFile?

    /// The time between acceptance and effect with a peer, which asks once a second, and may take as long
    /// for the answer.
    static let lead = MediaTime(seconds: 3)

    /// Puts actions on air.
    ///
    /// Once this returns, the accepted actions are on disk, or the result has the reason why not.
    func accept(_ contents: [ScheduleAction.Content], at now: MediaTime) async -> ScheduleAcceptance {
        let outcomes = channel.accept(contents, at: now)
        let isAccepted = outcomes.contains { !$0.allSatisfy(\.isRefusal) }
        // Actions that cannot be written are still on air, because a disk must not block them.
        return ScheduleAcceptance(outcomes, unkept: isAccepted ? await keep() : nil)
    }

    /// Continues with the actions that were accepted before this run, here or by the peer.
    func recall(from peer: PeerWatch?) async {
        channel.recall(file?.read() ?? [])
        if let actions = await peer?.schedule() {
            channel.recall(actions)
            _ = await keep()
        }
    }

    /// Takes the actions that the peer has accepted since.
    var sharedSchedule: PeerWatch.SharedSchedule {
        PeerWatch.SharedSchedule {
            channel.schedule.digest
        } merge: { actions in
            channel.merge(actions)
            _ = await keep()
        }
    }

    /// The schedule as the peer gets it.
    var document: ScheduleDocument { ScheduleDocument(actions: channel.schedule.actions) }

    /// - Returns: The reason why it could not be kept; nil if it was, or need not be.
    private func keep() async -> String? { await file?.keep { [channel] in channel.schedule.actions } ?? nil }
}
