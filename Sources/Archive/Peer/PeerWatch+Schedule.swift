import Fetching
import Foundation
import NIOCore
package import Operations

/// The schedule that people and programs have posted to the other member of a pair.
extension PeerWatch {
    /// A schedule that is to be the same on both.
    package struct Agenda: Sendable {
        /// The digest of the schedule here; empty if nothing is scheduled.
        package var digest: @Sendable () -> String
        /// Takes what the peer has.
        package var merge: @Sendable ([ScheduleAction]) async -> Void

        package init(
            digest: @escaping @Sendable () -> String,
            merge: @escaping @Sendable ([ScheduleAction]) async -> Void
        ) {
            (self.digest, self.merge) = (digest, merge)
        }
    }

    /// Asks once for all that the peer has accepted; a packager that starts continues with that.
    ///
    /// - Returns: Nil if it does not answer, and where it has none.
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
