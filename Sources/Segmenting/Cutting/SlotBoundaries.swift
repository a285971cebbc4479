import MediaCore

/// The start and end of a slot in UTC, where its leading track was cut.
struct SlotBoundaries: Hashable, Sendable {
    var number: MediaSequenceNumber
    var start: MediaTime
    var end: MediaTime
}
