package import MediaCore

/// The reason why a range of the past is not answered with a playlist.
package enum PastRefusal: Error, Hashable, Sendable {
    case malformed
    case endWithoutStart
    case delayWithStart
    /// The range ends before or at its start.
    case backwards
    case tooLong
    /// The delay is too long.
    case tooLate
    /// The range starts in the future.
    case early
    /// The range starts before the oldest recorded slot, which began at this time.
    case beforeRecording(oldest: MediaTime)
    /// No slot of the range is recorded, or not yet.
    case nothingRecorded
    /// No slot is old enough yet for a delayed stream.
    case starting
    /// There was no rendition of that name.
    case unknownRendition
    /// Its media is encrypted with keys that are no longer available.
    case withoutKeys
    /// The recording cannot be read at the moment.
    case unreadable

    /// True if the same request can never succeed.
    package var isMalformed: Bool {
        switch self {
        case .malformed, .endWithoutStart, .delayWithStart, .backwards, .tooLong, .tooLate: true
        default: false
        }
    }
}

extension PastRefusal: CustomStringConvertible {
    /// A line for the client.
    package var description: String {
        switch self {
        case .malformed:
            "malformed range: give start and end in seconds since 1970, or as 2026-11-27T12:00:00Z; or time-delay in seconds"
        case .endWithoutStart: "the range has an end, but no start"
        case .delayWithStart: "a range has a start or a time-delay, not both"
        case .backwards: "the range does not end after it starts"
        case .tooLong: "the range is longer than \(PastRange.longest / 3600) hours"
        case .tooLate: "the time-delay is longer than \(PastRange.longestDelay / 86_400) days"
        case .early: "the range starts in the future"
        case .beforeRecording(let oldest):
            "the range starts before what is recorded, which begins at \(oldest.iso8601) (\(oldest.wholeSecond))"
        case .nothingRecorded: "nothing of the range is recorded"
        case .starting: "starting: nothing is old enough yet"
        case .unknownRendition: "there was no such rendition"
        case .withoutKeys: "the range is encrypted with keys that the key source no longer gives"
        case .unreadable: "the recording cannot be read at the moment"
        }
    }
}

extension MediaTime {
    /// The first whole second at or after a time.
    fileprivate var wholeSecond: Int64 { (ticks + Self.timescale - 1) / Self.timescale }
}
