extension MediaPlaylist {
    /// The text of the playlist, in UTF-8, each line ended by a line feed.
    package func render() -> String {
        let lines = lines
        return head(of: [lines]) + lines.text + end
    }

    /// The text above the lines of segments.
    package func head(of lines: [PlaylistLines]) -> String { head(version: lines.map(\.version).max() ?? 1) }

    /// The text above lines that need a protocol version.
    package func head(version: Int) -> String {
        var text = "#EXTM3U\n"
        let versions = variables.map(\.version) + [skip?.version ?? 1]
        text += "#EXT-X-VERSION:\(versions.reduce(version, max))\n"
        for variable in variables { text += "#EXT-X-DEFINE:\(variable.attributes)\n" }
        text += "#EXT-X-TARGETDURATION:\(targetDuration)\n"
        let control = serverControl?.description ?? ""
        if !control.isEmpty { text += "#EXT-X-SERVER-CONTROL:\(control)\n" }
        if let partTarget { text += "#EXT-X-PART-INF:PART-TARGET=\(SegmentDuration(partTarget))\n" }
        text += "#EXT-X-MEDIA-SEQUENCE:\(mediaSequence)\n"
        // The tag is always there: it must be before a discontinuity can leave the window (RFC 8216bis § 4.4.3.3).
        text += "#EXT-X-DISCONTINUITY-SEQUENCE:\(discontinuitySequence)\n"
        if isIFramesOnly { text += "#EXT-X-I-FRAMES-ONLY\n" }
        if isOnDemand { text += "#EXT-X-PLAYLIST-TYPE:VOD\n" }
        if isEvent { text += "#EXT-X-PLAYLIST-TYPE:EVENT\n" }
        if let skip { text += "#EXT-X-SKIP:\(skip.attributes)\n" }
        return text
    }

    /// The text below the lines of segments.
    package var end: String {
        // RFC 8216bis § 4.4.5.3: there is no hint if nothing follows.
        if isEnded { return "#EXT-X-ENDLIST\n" }
        var text = ""
        for hint in hints.map(\.attributes) + [keyHint?.attributes].compactMap(\.self) {
            text += "#EXT-X-PRELOAD-HINT:\(hint)\n"
        }
        for report in reports { text += "#EXT-X-RENDITION-REPORT:\(report.attributes)\n" }
        return text
    }

    /// The lowest protocol version whose features cover this playlist.
    var version: Int { lines.version }

    private var lines: PlaylistLines {
        var lines = PlaylistLines(isIFramesOnly: isIFramesOnly)
        for segment in segments {
            lines.append(segment.dateRanges)
            lines.append(segment)
        }
        lines.append(dateRanges)
        for open in openSegments { lines.append(open) }
        return lines
    }
}
