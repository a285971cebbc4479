/// What a reader remembers from one segment to the next, until there is a discontinuity.
package struct TransportStreamState: Hashable, Sendable {
    /// Of each PID, the last continuity counter.
    var counters: [UInt16: UInt8] = [:]
    /// Of each PID, the last decode time.
    var decodeTimes: [UInt16: Int64] = [:]
    var clock: Int64?
    var map: ParsedProgramMap?

    init() {}
}
