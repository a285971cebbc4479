/// The reason why a text is not a playlist, and its line.
package struct PlaylistParsingError: Error, Hashable, Sendable {
    /// The number of the line, counted from 1; that of the last line if something is missing.
    var line: Int
    var reason: Reason

    package enum Reason: Hashable, Sendable {
        /// The first line is not EXTM3U.
        case notAPlaylist
        /// A mandatory tag is missing.
        case missing(tag: String)
        /// A tag's value or attribute list breaks its grammar, or a mandatory attribute is missing.
        case malformed(tag: String)
        /// A tag's number is so large that counting on from it would overflow.
        case tooLarge(tag: String)
        /// A tag that may be there once is repeated.
        case duplicate(tag: String)
        /// A tag stands too low in the playlist.
        case late(tag: String)
        /// A tag belongs to the other kind of playlist.
        case misplaced(tag: String)
        /// A URI line lacks the tag that introduces it.
        case unannouncedURI
    }

    package init(line: Int, reason: Reason) {
        self.line = line
        self.reason = reason
    }
}

extension PlaylistParsingError: CustomStringConvertible {
    package var description: String {
        switch reason {
        case .notAPlaylist: "line \(line): the first line is not #EXTM3U"
        case .missing(let tag): "line \(line): \(tag) is missing"
        case .malformed(let tag): "line \(line): \(tag) is malformed"
        case .tooLarge(let tag): "line \(line): \(tag) is too large to count on from"
        case .duplicate(let tag): "line \(line): \(tag) is there twice"
        case .late(let tag): "line \(line): \(tag) is below what it should stand above"
        case .misplaced(let tag): "line \(line): \(tag) does not belong in this kind of playlist"
        case .unannouncedURI: "line \(line): a URI without the tag that introduces it"
        }
    }
}
