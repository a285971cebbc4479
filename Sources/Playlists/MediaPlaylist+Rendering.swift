import MediaCore

extension MediaPlaylist {
    /// The text of the playlist, in UTF-8, each line ended by a line feed.
    package func render() -> String {
        var text = ""
        text.reserveCapacity(160 + segments.count * 160)
        text += "#EXTM3U\n"
        text += "#EXT-X-VERSION:\(version)\n"
        text += "#EXT-X-TARGETDURATION:\(targetDuration)\n"
        text += "#EXT-X-MEDIA-SEQUENCE:\(mediaSequence)\n"
        // Always there: once a discontinuity can leave the window the tag must have been (RFC 8216bis § 4.4.3.3).
        text += "#EXT-X-DISCONTINUITY-SEQUENCE:\(discontinuitySequence)\n"
        if isIFramesOnly { text += "#EXT-X-I-FRAMES-ONLY\n" }
        var scope = Scope()
        for index in segments.indices { segments[index].render(into: &text, scope: &scope) }
        if isEnded { text += "#EXT-X-ENDLIST\n" }
        return text
    }
}

/// The key and the map that the lines above put in force for the next segment.
private struct Scope {
    private var key: EncryptionKey?
    private var map: MediaInitialization?

    mutating func put(_ key: EncryptionKey?, into text: inout String) {
        guard key != self.key else { return }
        if let key { text += "#EXT-X-KEY:\(key.attributes)\n" } else { text += "#EXT-X-KEY:METHOD=NONE\n" }
        self.key = key
    }

    mutating func put(_ map: MediaInitialization, into text: inout String) {
        guard map != self.map else { return }
        // A key's scope covers the maps below it (RFC 8216bis § 4.4.4.4).
        put(map.key, into: &text)
        var attributes = AttributeList()
        attributes.append("URI", quoted: map.uri)
        text += "#EXT-X-MAP:\(attributes)\n"
        self.map = map
    }
}

extension MediaPlaylist.Segment {
    fileprivate func render(into text: inout String, scope: inout Scope) {
        if startsDiscontinuity { text += "#EXT-X-DISCONTINUITY\n" }
        renderScope(into: &text, scope: &scope)
        text += "#EXT-X-PROGRAM-DATE-TIME:"
        text.append(programDateTime)
        text += isGap ? "\n#EXT-X-GAP\n#EXTINF:" : "\n#EXTINF:"
        text.append(duration)
        text += ",\n"
        if let byteRange { text += "#EXT-X-BYTERANGE:\(byteRange.count)@\(byteRange.lowerBound)\n" }
        text += uri
        text += "\n"
    }

    /// Prints the tags that bring the segment's key and map into force, where they are not.
    private func renderScope(into text: inout String, scope: inout Scope) {
        // Nothing of a gap is fetched or decrypted; one that names no key or map changes neither.
        if isGap, key == nil, map == nil { return }
        if let map { scope.put(map, into: &text) }
        scope.put(key, into: &text)
    }
}
