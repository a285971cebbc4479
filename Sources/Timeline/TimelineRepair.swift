/// A repair of a packet or a timeline that keeps the channel going; each is counted.
package enum TimelineRepair: String, Hashable, Sendable, CaseIterable {
    /// A packet without any timestamp was dropped.
    case untimedPacket
    /// A decode time that did not rise was moved on by a tick.
    case clampedDecodeTime
    /// Timestamps jumped, restarted, ran ahead of real time or fell behind for good: the input was placed anew.
    case reanchoredClock
    /// A timestamp that cannot be true was ignored together with its packet, or a timecode that cannot.
    case implausibleClock
    /// No timecode to be believed was found in time: the input was placed by its arrival.
    case missingTimecode
}
