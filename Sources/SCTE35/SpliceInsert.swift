/// A splice out of the network's programme or back into it: splice_insert (ANSI/SCTE 35 § 9.7.3).
package struct SpliceInsert: Hashable, Sendable {
    /// The time of the splice, for the programme or for each component.
    package enum Place: Hashable, Sendable {
        /// Everything at once, as soon as possible.
        case immediately
        /// Everything; at a time in ticks of 90 kHz, nil if the section leaves it open.
        case program(UInt64?)
        /// Some elementary streams by their tags, each at a time of its own (deprecated).
        case components([Component])
        /// Some elementary streams, as soon as possible (deprecated).
        case componentsImmediately([UInt8])
    }

    package struct Component: Hashable, Sendable {
        package var tag: UInt8
        package var time: UInt64?
    }

    package struct Details: Hashable, Sendable {
        /// Out of the network's programme, or back into it.
        package var isOut: Bool
        package var place: Place
        package var duration: BreakDuration?
        /// True if the identifier is unique as § 9.9.3 asks; senders that know nothing of the flag leave it false.
        package var isCompliant = false
        package var programID: UInt16 = 0
        package var avail: UInt8 = 0
        package var availsExpected: UInt8 = 0

        package init(isOut: Bool, place: Place, duration: BreakDuration? = nil) {
            (self.isOut, self.place, self.duration) = (isOut, place, duration)
        }
    }

    package var eventID: UInt32
    /// The splice; nil if the message cancels an earlier one of the same event.
    package var details: Details?

    package init(eventID: UInt32, details: Details?) {
        (self.eventID, self.details) = (eventID, details)
    }
}
