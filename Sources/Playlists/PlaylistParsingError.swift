/// The reason why a text is not a playlist, and the place.
package struct PlaylistParsingError: Error, Hashable, Sendable {
    /// Counted from 1; of the last line where something is missing from the whole.
    var line: Int
    var reason: Reason

    package enum Reason: Hashable, Sendable {
        /// The first line is not EXTM3U.
        case notAPlaylist
        /// A tag that must be there is not.
        case missing(tag: String)
        /// A tag's value or attribute list breaks its grammar, or an attribute that it must have is missing.
        case malformed(tag: String)
        /// A tag's number is so large that counting on from it would overflow.
        case tooLarge(tag: String)
        /// A tag that may be there once is there again.
        case duplicate(tag: String)
        /// A tag below what it should stand above.
        case late(tag: String)
        /// A tag of the other kind of playlist.
        case misplaced(tag: String)
        /// A URI line without the tag that introduces it.
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
