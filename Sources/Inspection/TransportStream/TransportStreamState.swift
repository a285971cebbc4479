/// The state of a reader from one segment to the next, until there is a discontinuity.
package struct TransportStreamState: Hashable, Sendable {
    /// The last continuity counter of each PID.
    var counters: [UInt16: UInt8] = [:]
    /// The last decode time of each PID.
    var decodeTimes: [UInt16: Int64] = [:]
    var clock: Int64?
    var map: ParsedProgramMap?

    init() {}
}
