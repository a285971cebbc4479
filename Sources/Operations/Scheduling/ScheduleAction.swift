package import MediaCore
package import Playlists

/// An action on air that people or programs request in addition to the feeds.
///
/// It is the same on both members of a pair: the member that accepts it decides every time in it, and both come to the
/// same result from that.
package struct ScheduleAction: Hashable, Sendable {
    /// A few digits that stand for the content and the time at which it was accepted.
    package let id: String
    /// UTC.
    package let accepted: MediaTime
    /// UTC: slots that end by then are without it, on whichever member.
    package let effective: MediaTime
    package let content: Content

    package enum Content: Hashable, Sendable {
        /// Text in the subtitles of a language.
        case cues(language: String, [ScheduledCue])
        /// A range that is announced to players from a point in UTC on.
        case dateRange(DateRange, announcement: MediaTime)
        /// Further attributes of a range; the date is the range's.
        case update(DateRange)
        /// The withdrawal of a range that was not announced yet; UTC at which it would have begun.
        case withdrawal(id: String, start: MediaTime)
        /// The bytes of a `splice_info_section` of SCTE-35, and when it happens in UTC.
        case splice([UInt8], at: MediaTime)
        /// The bytes of an ID3 tag, and when it is due in UTC.
        case metadata([UInt8], at: MediaTime)
    }

    /// - Parameters:
    ///   - content: The content.
    ///   - accepted: UTC.
    ///   - effective: UTC up to which slots are without it.
    package init(_ content: Content, accepted: MediaTime, effective: MediaTime) {
        (self.content, self.accepted, self.effective) = (content, accepted, effective)
        id = Record(content, accepted: accepted, effective: effective).hash
    }

    /// Returns true if no slot to come can have it, however late its feed is.
    package func isOver(at now: MediaTime) -> Bool { max(effective, end) + Self.longestDelay <= now }

    /// The time in UTC at which its effect is over.
    private var end: MediaTime {
        switch content {
        case .cues(_, let cues): cues.map(\.end).max() ?? .zero
        // The attributes announced to players are in their playlists by then.
        case .dateRange(let range, _), .update(let range): range.start ?? .zero
        case .withdrawal(_, let start): start
        case .splice(_, let time), .metadata(_, let time): time
        }
    }

    /// A feed's, and a peer's that is starting.
    private static let longestDelay = MediaTime(seconds: 120)
}

extension ScheduleAction: Comparable {
    /// The order of application, which does not depend on the order of arrival.
    package static func < (lhs: Self, rhs: Self) -> Bool { (lhs.accepted, lhs.id) < (rhs.accepted, rhs.id) }
}
