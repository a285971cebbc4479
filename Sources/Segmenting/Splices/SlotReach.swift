import MediaCore

/// Where a slot and the one after it lie in UTC: the first by what was cut, the other by the plan.
struct SlotReach: Hashable, Sendable {
    var start: MediaTime
    /// Where the next begins, to the sample.
    var end: MediaTime
    /// The splice that the next was to begin with.
    var splice: MediaTime?
    var nextEnd: MediaTime
}
