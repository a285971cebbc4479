import MediaCore
import Operations
import Timeline

/// ID3 tags of people and programs.
extension ChannelEngine {
    /// The longest time ahead at which a tag may be due; later ones are refused.
    private static let furthestTag = MediaTime(seconds: 3600)
    /// The most tags that wait for their slots.
    private static let mostTags = 1_000

    /// Checks a tag that is to be in the stream.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the tag.
    ///   - time: The time at which it is due, in UTC.
    ///   - effective: The time up to which slots are without it, in UTC.
    /// - Returns: The slot that it is in, or the reason why it is refused.
    func reviewed(tag bytes: [UInt8], at time: MediaTime, from effective: MediaTime) -> ScheduleOutcome {
        let earliest = firstUndecided(after: effective)
        if time < earliest { return .refused(.past(earliest: earliest)) }
        if time > now + Self.furthestTag { return .refused(.tooEarly(limit: Self.furthestTag)) }
        if bytes.count > Self.longestTag || programme.tags.count >= Self.mostTags { return .refused(.tooMany) }
        return .slot(segmenter.plan.slot(at: time), at: time)
    }

    /// Forgets the tags of segments that are decided on.
    mutating func discardTags(before time: MediaTime) {
        inputs.discardTags(before: time)
        programme.discardTags(before: time)
    }
}
