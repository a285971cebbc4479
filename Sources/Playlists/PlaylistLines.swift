import MediaCore

/// The rendered lines of segments that follow each other in a media playlist.
///
/// The meaning of lines depends on the keys and maps in force above them. Rendered lines can therefore follow only
/// lines that leave the same keys and map in force.
package struct PlaylistLines: Hashable, Sendable {
    let isIFramesOnly: Bool
    /// The keys and map in force below the lines above.
    package let scopeBefore: Scope
    /// The keys and map in force below these lines.
    package private(set) var scopeAfter: Scope
    /// In UTF-8, each line ended by a line feed.
    package private(set) var text = ""
    /// The lowest protocol version whose features cover a playlist of these lines (RFC 8216bis § 8).
    ///
    /// A client must refuse versions that it does not know, so nothing above the need is declared.
    private(set) var version: Int

    /// - Parameters:
    ///   - isIFramesOnly: True if they are of a playlist with EXT-X-I-FRAMES-ONLY.
    ///   - scopeBefore: The keys and map in force below the lines above; none at the head of a playlist.
    package init(isIFramesOnly: Bool, below scopeBefore: Scope = Scope()) {
        self.isIFramesOnly = isIFramesOnly
        self.scopeBefore = scopeBefore
        scopeAfter = scopeBefore
        version = isIFramesOnly ? 4 : 1
    }

    /// The keys and the map that lines put in force for the next segment.
    package struct Scope: Hashable, Sendable {
        fileprivate var keys: [EncryptionKey] = []
        fileprivate var map: MediaInitialization?

        package init() {}
    }

    /// Takes the room for so many bytes at once.
    package mutating func reserve(_ count: Int) { text.reserveCapacity(count) }

    /// Renders the lines of the next segment.
    package mutating func append(_ segment: MediaPlaylist.Segment) {
        version = max(version, segment.version(isIFramesOnly: isIFramesOnly))
        let cue = segment.cue?.lines ?? ""
        // With parts, these are the lines that the open segment had, and others follow them.
        put(segment.beginning, isGap: segment.isGap, cue: segment.parts.isEmpty ? cue : "")
        if !segment.parts.isEmpty { text += cue }
        text += segment.isGap ? "#EXT-X-GAP\n#EXTINF:" : "#EXTINF:"
        text.append(segment.duration)
        text += ",\n"
        if let range = segment.byteRange { text += "#EXT-X-BYTERANGE:\(range.count)@\(range.lowerBound)\n" }
        text += segment.uri
        text += "\n"
    }

    /// Renders what is known of the next segment before it is over.
    package mutating func append(_ open: MediaPlaylist.OpenSegment) {
        version = max(version, open.version(isIFramesOnly: isIFramesOnly))
        put(open, isGap: open.parts.allSatisfy(\.isGap))
    }

    /// Renders lines that are no segment's.
    mutating func append(_ ranges: [DateRange]) { text += ranges.lines }

    /// Takes lines that are no segment's, each ended by a line feed.
    package mutating func append(lines: String) { text += lines }

    /// Takes no more memory than it needs, for keeping.
    package mutating func trim() { text = String(decoding: Array(text.utf8), as: UTF8.self) }

    /// Renders what stands above the first part of a segment, and its parts (RFC 8216bis § 4.4.4.9).
    private mutating func put(_ segment: MediaPlaylist.OpenSegment, isGap: Bool, cue: String = "") {
        if segment.startsDiscontinuity { text += "#EXT-X-DISCONTINUITY\n" }
        // Nothing of a gap is fetched or decrypted; one that names no keys and no map changes neither.
        if !isGap || !segment.keys.isEmpty || segment.map != nil {
            if let map = segment.map { put(map) }
            put(segment.keys)
        }
        text += cue
        text += "#EXT-X-PROGRAM-DATE-TIME:"
        text.append(segment.programDateTime)
        text += "\n"
        for part in segment.parts { text += "#EXT-X-PART:\(part)\n" }
    }

    /// Brings keys into force, where they are not.
    ///
    /// A key holds until the next of its KEYFORMAT (RFC 8216bis § 4.4.4.4). If other formats follow, METHOD=NONE comes
    /// first: it has no KEYFORMAT, and so ends all.
    private mutating func put(_ keys: [EncryptionKey]) {
        guard keys != scopeAfter.keys else { return }
        if !scopeAfter.keys.isEmpty, scopeAfter.keys.map(\.effectiveKeyFormat) != keys.map(\.effectiveKeyFormat) {
            text += "#EXT-X-KEY:METHOD=NONE\n"
            scopeAfter.keys = []
        }
        for key in keys where !scopeAfter.keys.contains(key) { text += "#EXT-X-KEY:\(key.attributes)\n" }
        scopeAfter.keys = keys
    }

    /// Brings a map into force, where it is not.
    private mutating func put(_ map: MediaInitialization) {
        guard map != scopeAfter.map else { return }
        // A key's scope covers the maps below it (RFC 8216bis § 4.4.4.4).
        put(map.keys)
        var attributes = AttributeList()
        attributes.append("URI", quoted: map.uri)
        text += "#EXT-X-MAP:\(attributes)\n"
        scopeAfter.map = map
    }
}

extension MediaPlaylist.Segment {
    /// What stands above its first part, and its parts.
    fileprivate var beginning: MediaPlaylist.OpenSegment {
        MediaPlaylist.OpenSegment(
            programDateTime: programDateTime,
            startsDiscontinuity: startsDiscontinuity,
            keys: keys,
            map: map,
            parts: parts
        )
    }

    /// The lowest protocol version whose features cover its lines.
    fileprivate func version(isIFramesOnly: Bool) -> Int {
        // Durations always have a fraction: version 3.
        max(beginning.version(isIFramesOnly: isIFramesOnly), byteRange != nil ? 4 : 3)
    }
}

extension MediaPlaylist.OpenSegment {
    /// The lowest protocol version whose features cover its lines.
    fileprivate func version(isIFramesOnly: Bool) -> Int {
        if map != nil { return isIFramesOnly ? 5 : 6 }
        return keys.map(\.version).max() ?? 1
    }
}
