import MediaCore

/// Where a slot starts and ends in UTC: where its leading track was cut.
struct SlotBoundaries: Hashable, Sendable {
    var number: MediaSequenceNumber
    var start: MediaTime
    var end: MediaTime
}
