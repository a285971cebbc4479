import MediaCore

/// The times of a slot and of the one after it, in UTC: the first by its cut, the other by the plan.
struct SlotReach: Hashable, Sendable {
    var start: MediaTime
    /// The start of the next slot, to the sample.
    var end: MediaTime
    /// The splice that the next slot was to begin with.
    var splice: MediaTime?
    var nextEnd: MediaTime
}
