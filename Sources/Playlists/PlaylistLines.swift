import MediaCore

/// The rendered lines of segments that follow each other in a media playlist.
///
/// The meaning of lines depends on the keys and maps in force above them. Rendered lines can therefore follow only
/// lines that leave the same keys and map in force.
package struct PlaylistLines: Hashable, Sendable {
    package let isIFramesOnly: Bool
    /// The keys and map in force below the lines above.
    package let scopeBefore: Scope
    /// The keys and map in force below these lines.
    package private(set) var scopeAfter: Scope
    /// The text in UTF-8, each line ended by a line feed.
    package private(set) var text = ""
    /// The lowest protocol version whose features cover a playlist of these lines (RFC 8216bis § 8).
    ///
    /// A client must refuse unknown versions, so the version is as low as possible.
    package private(set) var version: Int

    /// - Parameters:
    ///   - isIFramesOnly: True for a playlist with EXT-X-I-FRAMES-ONLY.
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

        /// True if neither a key nor a map is in force.
        package var isEmpty: Bool { keys.isEmpty && map == nil }
        /// The KEYFORMATs of the keys.
        package var keyFormats: [String] { keys.map(\.effectiveKeyFormat) }

        /// Returns the lines that bring its keys and map into force at the head of a playlist, without those that are
        /// no longer in force in `next`.
        package func lines(remainingIn next: Scope) -> String {
            var lines = PlaylistLines(isIFramesOnly: false)
            if let map, map == next.map { lines.put(map) }
            lines.put(keys.filter(next.keys.contains))
            return lines.text
        }
    }

    /// Reserves room for so many bytes.
    package mutating func reserve(_ count: Int) { text.reserveCapacity(count) }

    /// Renders the lines of the next segment.
    package mutating func append(_ segment: MediaPlaylist.Segment) {
        version = max(version, segment.version(isIFramesOnly: isIFramesOnly))
        begin(segment.startsDiscontinuity, segment.keys, segment.map, isGap: segment.isGap)
        // With parts, these are the lines of the open segment, followed by others.
        if segment.parts.isEmpty, let cue = segment.cue { text += cue.lines }
        put(segment.programDateTime, segment.parts)
        if !segment.parts.isEmpty, let cue = segment.cue { text += cue.lines }
        text += segment.isGap ? "#EXT-X-GAP\n#EXTINF:" : "#EXTINF:"
        text.append(segment.duration)
        text += ",\n"
        if let range = segment.byteRange { text += "#EXT-X-BYTERANGE:\(range.count)@\(range.lowerBound)\n" }
        text += segment.uri
        text += "\n"
    }

    /// Renders the known lines of the next segment before it is over.
    package mutating func append(_ open: MediaPlaylist.OpenSegment) {
        version = max(version, Self.version(open.keys, open.map, isIFramesOnly: isIFramesOnly))
        begin(open.startsDiscontinuity, open.keys, open.map, isGap: open.parts.allSatisfy(\.isGap))
        put(open.programDateTime, open.parts)
    }

    /// Renders lines that belong to no segment.
    mutating func append(_ ranges: [DateRange]) { text += ranges.lines }

    /// Takes lines that belong to no segment, each ended by a line feed.
    package mutating func append(lines: String) { text += lines }

    /// Releases unused memory.
    package mutating func trim() { text = String(decoding: Array(text.utf8), as: UTF8.self) }

    /// Renders the tags that stand above the first part of a segment (RFC 8216bis § 4.4.4.9).
    private mutating func begin(
        _ startsDiscontinuity: Bool,
        _ keys: [EncryptionKey],
        _ map: MediaInitialization?,
        isGap: Bool
    ) {
        if startsDiscontinuity { text += "#EXT-X-DISCONTINUITY\n" }
        // Nothing of a gap is fetched or decrypted. A gap without keys and map changes neither.
        guard !isGap || !keys.isEmpty || map != nil else { return }
        if let map { put(map) }
        put(keys)
    }

    /// Renders the time of a segment, and its parts.
    private mutating func put(_ programDateTime: MediaTime, _ parts: [MediaPlaylist.Part]) {
        text += "#EXT-X-PROGRAM-DATE-TIME:"
        text.append(programDateTime)
        text += "\n"
        for part in parts { text += "#EXT-X-PART:\(part)\n" }
    }

    /// Returns the lowest protocol version whose features cover keys and a map.
    fileprivate static func version(
        _ keys: [EncryptionKey],
        _ map: MediaInitialization?,
        isIFramesOnly: Bool
    ) -> Int {
        if map != nil { return isIFramesOnly ? 5 : 6 }
        return keys.map(\.version).max() ?? 1
    }

    /// Brings keys into force, unless they are.
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

    /// Brings a map into force, unless it is.
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
    /// The lowest protocol version whose features cover its lines.
    fileprivate func version(isIFramesOnly: Bool) -> Int {
        // Durations always have a fraction: version 3.
        max(PlaylistLines.version(keys, map, isIFramesOnly: isIFramesOnly), byteRange != nil ? 4 : 3)
    }
}
