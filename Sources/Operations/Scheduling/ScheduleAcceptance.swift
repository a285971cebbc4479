/// The outcomes of posted actions, after storing them was tried.
package struct ScheduleAcceptance: Hashable, Sendable {
    /// The outcomes in order, one for each part of each action.
    package var outcomes: [[ScheduleOutcome]]
    /// The reason why accepted actions would not outlive the process; nil if they would, and where nothing is to be
    /// stored.
    package var unkept: String?

    package init(_ outcomes: [[ScheduleOutcome]], unkept: String? = nil) {
        (self.outcomes, self.unkept) = (outcomes, unkept)
    }
}
