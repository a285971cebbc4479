package import MediaCore

/// A range of time with attributes: EXT-X-DATERANGE (RFC 8216bis § 4.4.5.1).
///
/// Several tags of one ID are one range. A later tag may add attributes, and must not change any.
package struct DateRange: Hashable, Sendable {
    package var id: String
    /// The class of the range, which gives its attributes their meaning.
    package var className: String?
    /// The start in UTC, counted from 1970; nil in a tag that adds to a known range.
    package var start: MediaTime?
    /// The cues for players, if its time alone does not decide.
    package var cues: [Cue] = []
    /// UTC, counted from 1970.
    package var end: MediaTime?
    package var duration: MediaTime?
    /// The expected length, until the length is known.
    package var plannedDuration: MediaTime?
    /// True if it lasts until the next range of its class begins.
    package var endsOnNext = false
    /// A `splice_info_section` of SCTE-35 (§ 4.4.5.1.1) that is neither of the two that follow.
    package var spliceCommand: [UInt8]?
    /// The section that leaves the programme.
    package var spliceOut: [UInt8]?
    /// The section that comes back to it.
    package var spliceIn: [UInt8]?
    package var custom: [CustomAttribute] = []

    package enum Cue: String, Hashable, Sendable {
        case before = "PRE"
        case after = "POST"
        case once = "ONCE"
    }

    /// An attribute that a class defines for itself; its name begins with `X-`.
    package struct CustomAttribute: Hashable, Sendable {
        package var name: String
        package var value: Value

        package enum Value: Hashable, Sendable {
            case string(String)
            case hexadecimal([UInt8])
            /// A signed number, in its written form.
            case number(String)
        }

        package init(name: String, value: Value) {
            (self.name, self.value) = (name, value)
        }
    }

    package init(id: String, start: MediaTime? = nil, duration: MediaTime? = nil) {
        (self.id, self.start, self.duration) = (id, start, duration)
    }

    /// The value of an attribute of its class; nil if it is missing.
    package subscript(custom name: String) -> CustomAttribute.Value? {
        custom.first { $0.name == name }?.value
    }
}

extension [DateRange] {
    /// The tags, each ended by a line feed.
    package var lines: String { map { "#EXT-X-DATERANGE:\($0.text)\n" }.joined() }

    /// The time in UTC at which a range is over, by all its tags; nil if that is unknown.
    package func end(of id: String) -> MediaTime? {
        let tags = filter { $0.id == id }
        if let end = tags.lazy.compactMap(\.end).first { return end }
        guard let start = tags.lazy.compactMap(\.start).first else { return nil }
        if let duration = tags.lazy.compactMap(\.duration).first { return start + duration }
        // § 4.4.5.1: it lasts until the next of its class begins.
        guard tags.contains(where: \.endsOnNext), let name = tags.lazy.compactMap(\.className).first else { return nil }
        return filter { $0.className == name && $0.id != id }.compactMap(\.start).filter { $0 > start }.min()
    }

    /// The ranges that must still be listed: no tag goes while a date of its range is that of a listed segment (RFC
    /// 8216bis § 6.2.1).
    ///
    /// - Parameters:
    ///   - time: UTC of the first segment that is listed.
    ///   - others: Other listed tags, which may add to the same ranges.
    /// - Returns: Their tags, in order.
    package func reaching(_ time: MediaTime, besides others: [DateRange] = []) -> [DateRange] {
        if isEmpty { return [] }
        let ids = Set(map(\.id))
        let all = self + others
        let tags = Dictionary(grouping: all.filter { ids.contains($0.id) }, by: \.id)
        return filter { range in
            let own = tags[range.id] ?? []
            // Only ranges that end with the next of their class need a search among all.
            let end = (own.contains(where: \.endsOnNext) ? all : own).end(of: range.id)
            return end.map { $0 >= time } ?? true
        }
    }
}
