import MediaCore
package import Presentation

/// The state of one destination, for operators.
package struct PushStatus: Sendable {
    /// The URL of the destination, as it is configured.
    package var name = ""
    /// The problem in one phrase; nil if everything is taken.
    package var problem: String?
    /// Objects that are to be sent.
    package var waiting = 0
    /// The age of the oldest of them.
    package var lag = Duration.zero
    /// Bytes on disk for objects that are no longer served.
    package var backlogBytes = 0
    /// Objects that it refuses to delete, and that are tried again after all others.
    package var refusedDeletions = 0
    /// Counts since the start.
    package var totals = Totals()
    /// The finished recordings; nil if none are sent there.
    package var recordings: RecordingPushStatus?

    package struct Totals: Hashable, Sendable {
        /// Objects that were stored, and their bytes.
        package var stored = 0
        package var storedBytes = 0
        /// Objects that were there already.
        package var alreadyThere = 0
        package var deleted = 0
        /// Objects that will never be sent.
        package var lost = 0
        /// Requests that failed, by ``StoreProblem/word``.
        package var failures: [String: Int] = [:]
        /// The time from the publication of a slot to a stored playlist that lists it.
        package var delay = DelayHistogram()
    }
}
