/// The plan of a programme's splices at the publication of a slot: enough for a later run, or a returning peer, to
/// announce and cut the rest in the same way.
package struct SplicePlan: Hashable, Sendable {
    /// The splices in the order of their arrival; past ones are kept for as long as they may be repeated.
    package var splices: [Splice] = []
    /// The IDs of splices that were posted to the control API; each is applied once.
    package var posted: [String] = []
    /// The beginnings of slots to come that do not begin on the grid, in UTC.
    package var boundaries: [MediaTime] = []

    /// The ID of the range that the newest slot lies in, if EXT-X-CUE-OUT has announced it.
    package var currentBreak: String?

    package var isEmpty: Bool { self == SplicePlan() }

    package init() {}

    /// A break, or another segmentation of the programme.
    package struct Splice: Hashable, Sendable {
        /// The part of its date range's ID in front of the date.
        package var name: String
        /// The input that announced it first, by the operator's name.
        package var input: String
        /// The `splice_info_section` (ANSI/SCTE 35 § 9.6).
        package var section: [UInt8]
        package var start: MediaTime
        /// The time of its feed at its arrival, in UTC.
        package var heard: MediaTime
        /// The same for when it was taken back.
        package var cancelled: MediaTime?
        /// The start that was announced to players, in UTC; nil if it was not announced.
        package var announcedStart: MediaTime?
        /// True if its ID has milliseconds.
        package var hasExactID = false
        package var end: End?
        /// True if players know its start and its end.
        package var isOver = false

        package init(name: String, input: String, section: [UInt8], start: MediaTime, heard: MediaTime) {
            (self.name, self.input, self.section) = (name, input, section)
            (self.start, self.heard) = (start, heard)
        }
    }

    /// The end of a break.
    package struct End: Hashable, Sendable {
        package var time: MediaTime
        package var heard: MediaTime
        /// The section that says so; nil if none does.
        package var section: [UInt8]?
        /// True if it follows from the plan, and was not signalled.
        package var isAssumed: Bool

        package init(time: MediaTime, heard: MediaTime, section: [UInt8]? = nil, isAssumed: Bool = false) {
            (self.time, self.heard, self.section, self.isAssumed) = (time, heard, section, isAssumed)
        }
    }
}
