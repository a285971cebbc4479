/// A splice that is planned by the time of day: one of splice_schedule (ANSI/SCTE 35 § 9.7.2).
package struct ScheduledSplice: Hashable, Sendable {
    /// Seconds since the beginning of 6 January 1980, leap seconds counted.
    package enum Place: Hashable, Sendable {
        case program(UInt32)
        case components([Component])
    }

    package struct Component: Hashable, Sendable {
        package var tag: UInt8
        package var time: UInt32
    }

    package struct Details: Hashable, Sendable {
        package var isOut: Bool
        package var place: Place
        package var duration: BreakDuration?
        package var programID: UInt16 = 0
        package var avail: UInt8 = 0
        package var availsExpected: UInt8 = 0
    }

    package var eventID: UInt32
    /// True if the identifier is unique as § 9.9.3 asks; senders that know nothing of the flag leave it false.
    package var isCompliant = false
    /// The splice; nil if the message cancels an earlier one of the same event.
    package var details: Details?
}
