import MediaCore
package import Presentation

/// The state of one destination, for operators.
package struct PushStatus: Sendable {
    /// The configured URL of the destination.
    package var name = ""
    /// The problem in one phrase; nil if the destination accepts everything.
    package var problem: String?
    /// Objects that wait to be sent.
    package var waiting = 0
    /// The age of the oldest waiting object.
    package var lag = Duration.zero
    /// Bytes of the backlog on disk.
    package var backlogBytes = 0
    /// Objects that the destination refuses to delete; they are tried again after all others.
    package var refusedDeletions = 0
    /// Counts since the start.
    package var totals = Totals()
    /// The state of finished recordings; nil if none are sent there.
    package var recordings: RecordingPushStatus?

    package struct Totals: Hashable, Sendable {
        /// Objects that were stored, and their bytes.
        package var stored = 0
        package var storedBytes = 0
        /// Objects that the destination had already.
        package var alreadyThere = 0
        package var deleted = 0
        /// Objects that will never be sent.
        package var lost = 0
        /// Requests that failed, by ``StoreProblem/word``.
        package var failures: [String: Int] = [:]
        /// The time from the publication of a slot until a stored playlist lists it.
        package var delay = DelayHistogram()
    }
}
