package import Presentation

extension ChannelStatus {
    /// The state of a destination of push.
    package struct Destination: Hashable, Codable, Sendable {
        /// The URL of the destination, without secrets.
        var url: String
        var isHealthy: Bool
        /// The problem in one phrase.
        var problem: String?
        /// Objects that wait to be sent.
        var waiting: Int
        /// The age of the oldest of them.
        var lag: Seconds
        /// Bytes of the backlog on disk.
        var backlogBytes: Int
        /// Objects that the destination refuses to delete; they are tried again.
        var refusedDeletions: Int
        /// Counts since the start.
        var stored: Int
        var storedBytes: Int
        var deleted: Int
        /// Objects that were lost.
        var lost: Int
        /// Requests that failed, by the kind of problem.
        var failures: [String: Int]
        /// The time from the publication of a slot until a stored playlist lists it; only for metrics.
        var delay = DelayHistogram()
        /// The finished recordings; nil if none are sent there.
        var recordings: Recordings?

        /// The state of the finished recordings of a channel at a destination.
        package struct Recordings: Hashable, Codable, Sendable {
            /// The numbers of recordings that wait, that are complete, and that could not be sent or deleted.
            var waiting: Int
            var sent: Int
            var failed: Int
            /// The number of removed recordings that may still have objects there.
            var removing: Int
            /// Counts of objects since the start.
            var stored: Int
            var storedBytes: Int
            var deleted: Int

            package init(
                waiting: Int = 0,
                sent: Int = 0,
                failed: Int = 0,
                removing: Int = 0,
                stored: Int = 0,
                storedBytes: Int = 0,
                deleted: Int = 0
            ) {
                (self.waiting, self.sent, self.failed, self.removing) = (waiting, sent, failed, removing)
                (self.stored, self.storedBytes, self.deleted) = (stored, storedBytes, deleted)
            }
        }

        package init(
            url: String,
            problem: String? = nil,
            waiting: Int = 0,
            lag: Seconds,
            backlogBytes: Int = 0,
            refusedDeletions: Int = 0,
            stored: Int = 0,
            storedBytes: Int = 0,
            deleted: Int = 0,
            lost: Int = 0,
            failures: [String: Int] = [:],
            delay: DelayHistogram = DelayHistogram(),
            recordings: Recordings? = nil
        ) {
            (self.url, isHealthy, self.problem) = (url, problem == nil, problem)
            (self.waiting, self.lag, self.backlogBytes) = (waiting, lag, backlogBytes)
            self.refusedDeletions = refusedDeletions
            (self.stored, self.storedBytes, self.deleted, self.lost) = (stored, storedBytes, deleted, lost)
            (self.failures, self.delay, self.recordings) = (failures, delay, recordings)
        }

        private enum CodingKeys: String, CodingKey {
            case url, problem, waiting, lag, backlogBytes, refusedDeletions, stored, storedBytes, deleted, lost
            case failures, recordings
            case isHealthy = "healthy"
        }
    }
}
