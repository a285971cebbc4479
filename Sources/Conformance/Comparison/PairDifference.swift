/// A difference between two origins of one stream.
package struct PairDifference: Hashable, Sendable, Codable {
    /// The media playlist's URI in the multivariant playlist; nil if that itself differs.
    package var rendition: String?
    /// Media sequence number; nil if it is about no single slot.
    package var number: Int64?
    package var what: What

    package enum What: Hashable, Sendable, Codable {
        /// A line of the multivariant playlist, counted from 1; nil beyond the end.
        case text(line: Int, first: String?, second: String?)
        /// An attribute of a segment in the media playlist.
        case line(LineDifference)
        /// The bytes of a segment, or of an initialization section.
        case bytes(uri: String, ByteDifference)
        /// An origin sent something that is no playlist.
        case malformed(PairSide, reason: String)
    }
}

/// An origin of a pair, in the order of the command line.
package enum PairSide: String, Hashable, Sendable, Codable, CaseIterable {
    case first
    case second
}

extension PairDifference: CustomStringConvertible {
    package var description: String {
        let place = [rendition ?? "multivariant playlist", number.map { "segment \($0)" }].compactMap(\.self)
        return "\(place.joined(separator: ", ")): \(what)"
    }
}

extension PairDifference.What: CustomStringConvertible {
    package var description: String {
        switch self {
        case .text(let line, let first, let second):
            "line \(line) is \(first ?? "the end") and \(second ?? "the end")"
        case .line(let difference): "\(difference)"
        case .bytes(let uri, let difference): "\(uri): \(difference)"
        case .malformed(let side, let reason): "the \(side.rawValue) one's playlist is malformed: \(reason)"
        }
    }
}
