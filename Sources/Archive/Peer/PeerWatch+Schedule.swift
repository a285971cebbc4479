import Fetching
import Foundation
import NIOCore
package import Operations

/// The schedule that people and programs have posted to the other member of a pair.
extension PeerWatch {
    /// A schedule that both members keep equal.
    package struct SharedSchedule: Sendable {
        /// The digest of the schedule here; empty if nothing is scheduled.
        package var digest: @Sendable () -> String
        /// Merges the actions of the peer.
        package var merge: @Sendable ([ScheduleAction]) async -> Void

        package init(
            digest: @escaping @Sendable () -> String,
            merge: @escaping @Sendable ([ScheduleAction]) async -> Void
        ) {
            (self.digest, self.merge) = (digest, merge)
        }
    }

    /// Requests once all actions that the peer has accepted; a starting packager continues with them.
    ///
    /// - Returns: The actions; nil if the peer does not answer or has none.
    package func schedule() async -> [ScheduleAction]? {
        await withClient { await schedule($0) }
    }

    func schedule(_ client: OriginClient) async -> [ScheduleAction]? {
        guard
            let (isRefusal, answer) = try? await client.fetch(
                "\(url)/\(channel)/schedule.json",
                credentials: credentials
            ),
            !isRefusal
        else { return nil }
        return try? ScheduleDocument(json: Data(answer.body.readableBytesView)).actions
    }
}
