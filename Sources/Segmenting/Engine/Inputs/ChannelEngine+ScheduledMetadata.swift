import MediaCore
import Operations
import Timeline

/// ID3 tags of people or programs.
extension ChannelEngine {
    /// Tags that are further off are not kept.
    private static let furthestTag = MediaTime(seconds: 3600)
    /// So many wait for their slots at most.
    private static let mostTags = 1_000

    /// Looks at a tag that somebody wants in the stream.
    ///
    /// - Parameters:
    ///   - bytes: Of the tag.
    ///   - time: When it is due, in UTC.
    ///   - effective: UTC up to which slots are without it.
    /// - Returns: The slot that it is in, or why it is in none.
    func reviewed(tag bytes: [UInt8], at time: MediaTime, from effective: MediaTime) -> ScheduleOutcome {
        let earliest = firstUndecided(after: effective)
        if time < earliest { return .refused(.past(by: earliest - time, earliest: earliest)) }
        if time > now + Self.furthestTag { return .refused(.tooEarly(limit: Self.furthestTag)) }
        if bytes.count > Self.longestTag || programme.tags.count >= Self.mostTags { return .refused(.tooMany) }
        return .slot(segmenter.plan.slot(at: time), at: time)
    }

    /// Forgets tags of segments that are decided on.
    mutating func discardTags(before time: MediaTime) {
        for feed in feeds.range { feeds[feed.value].tags.discard(before: time) }
        programme.discardTags(before: time)
    }
}
