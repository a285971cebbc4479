extension MediaPlaylist {
    /// The text of the playlist, in UTF-8, each line ended by a line feed.
    package func render() -> String {
        render(lines)
    }

    /// The text of the playlist with these lines as those of its segments.
    package func render(_ lines: PlaylistLines) -> String {
        var text = ""
        text.reserveCapacity(160 + lines.text.utf8.count)
        text += "#EXTM3U\n"
        text += "#EXT-X-VERSION:\(lines.version)\n"
        text += "#EXT-X-TARGETDURATION:\(targetDuration)\n"
        text += "#EXT-X-MEDIA-SEQUENCE:\(mediaSequence)\n"
        // Always there: once a discontinuity can leave the window the tag must have been (RFC 8216bis § 4.4.3.3).
        text += "#EXT-X-DISCONTINUITY-SEQUENCE:\(discontinuitySequence)\n"
        if isIFramesOnly { text += "#EXT-X-I-FRAMES-ONLY\n" }
        text += lines.text
        if isEnded { text += "#EXT-X-ENDLIST\n" }
        return text
    }

    /// The lowest protocol version whose features cover this playlist.
    package var version: Int { lines.version }

    private var lines: PlaylistLines {
        var lines = PlaylistLines(isIFramesOnly: isIFramesOnly)
        for segment in segments { lines.append(segment) }
        return lines
    }
}
