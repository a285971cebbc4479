/// What becomes of what somebody wants on air, once it is kept as far as it can be.
package struct ScheduleAcceptance: Hashable, Sendable {
    /// In order, one for each part of each.
    package var outcomes: [[ScheduleOutcome]]
    /// Why what was accepted would not outlive the process; nil where it would, and where nothing is to be kept.
    package var unkept: String?

    package init(_ outcomes: [[ScheduleOutcome]], unkept: String? = nil) {
        (self.outcomes, self.unkept) = (outcomes, unkept)
    }
}
