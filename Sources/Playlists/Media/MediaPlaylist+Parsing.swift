import MediaCore

extension MediaPlaylist {
    /// Reads the text of a media playlist back into its value.
    ///
    /// Tags that the value cannot hold are passed over. A segment without a date takes its place from its
    /// neighbours' (RFC 8216bis § 4.4.4.6).
    ///
    /// - Parameters:
    ///   - text: As it was received.
    ///   - values: The values of variables that come from the multivariant playlist or a query; others stay as they are
    ///     written.
    /// - Throws: ``PlaylistParsingError`` if a tag is malformed or misplaced, or one that must be there is missing.
    package init(parsing text: String, values: [String: String] = [:]) throws(PlaylistParsingError) {
        let lines = try PlaylistLine.lines(of: text, given: values)
        var parser = MediaPlaylistParser()
        for line in lines { try parser.take(line) }
        self = try parser.finish(lastLine: lines.last?.number ?? 1)
    }
}

private struct MediaPlaylistParser {
    private var targetDuration: Int?
    private var mediaSequence = MediaSequenceNumber(0)
    private var discontinuitySequence = 0
    private var segments: [MediaPlaylist.Segment] = []
    private var isIFramesOnly = false
    private var variables: [PlaylistVariable] = []
    private var keyHint: KeyHint?
    private var isEnded = false
    private var isOnDemand = false
    private var hasVersion = false

    /// The keys in force for the segments that follow.
    private var keys: [EncryptionKey] = []
    private var map: MediaInitialization?

    /// Values for the next segment, from the lines since the last URI.
    private var duration: SegmentDuration?
    private var byteRange: (length: Int, offset: Int?)?
    private var date: MediaTime?
    private var isGap = false
    private var startsDiscontinuity = false
    private var dateRanges: [DateRange] = []
    private var cue: BreakCue?

    /// The resource of the segment before, and where its byte range ended.
    private var previous: (uri: String, end: Int)?

    /// The number of segments that stand before the first date, and wait for it.
    private var undated = 0
    private var expectedDate: MediaTime?

    /// The longest duration, 11 days in microseconds: no sum of such overflows in a text that fits in memory.
    private static let longestDuration: Int64 = 1_000_000_000_000

    mutating func take(_ line: PlaylistLine) throws(PlaylistParsingError) {
        switch line.content {
        case .uri(let uri): try take(uri: uri, line: line)
        case .tag("EXT-X-DEFINE", _):
            guard let variable = line.content.variable else { throw line.error(.malformed(tag: "EXT-X-DEFINE")) }
            variables.append(variable)
        case .tag(let name, let value):
            guard try take(tag: name, value: value, line: line) else { throw line.error(.malformed(tag: name)) }
        }
    }

    /// Takes a tag; false if its value is malformed.
    private mutating func take(
        tag name: String,
        value: Substring,
        line: PlaylistLine
    ) throws(PlaylistParsingError) -> Bool {
        switch name {
        case "EXT-X-VERSION":
            if hasVersion { throw line.error(.duplicate(tag: name)) }
            hasVersion = true
        case "EXT-X-TARGETDURATION":
            if targetDuration != nil { throw line.error(.duplicate(tag: name)) }
            targetDuration = Int(value)
            return targetDuration.map { $0 > 0 } ?? false
        case "EXT-X-MEDIA-SEQUENCE":
            guard let number = Int64(value), number >= 0 else { return false }
            mediaSequence = MediaSequenceNumber(number)
        case "EXT-X-DISCONTINUITY-SEQUENCE":
            guard let count = Int(value), count >= 0 else { return false }
            discontinuitySequence = count
        case "EXT-X-PRELOAD-HINT":
            guard let attributes = AttributeList(parsing: value) else { return false }
            // Of several of one TYPE the first counts.
            keyHint = keyHint ?? KeyHint(attributes)
        case "EXT-X-I-FRAMES-ONLY": isIFramesOnly = true
        case "EXT-X-ENDLIST": isEnded = true
        case "EXT-X-PLAYLIST-TYPE": isOnDemand = value == "VOD"
        case "EXT-X-STREAM-INF", "EXT-X-MEDIA", "EXT-X-I-FRAME-STREAM-INF", "EXT-X-SESSION-KEY", "EXT-X-SESSION-DATA":
            throw line.error(.misplaced(tag: name))
        default: return take(segmentTag: name, value: value)
        }
        return true
    }

    /// Takes a tag of the segments that follow, or of the next one; false if its value is malformed.
    private mutating func take(segmentTag name: String, value: Substring) -> Bool {
        switch name {
        case "EXT-X-KEY":
            guard let attributes = AttributeList(parsing: value) else { return false }
            return take(key: attributes)
        case "EXT-X-MAP":
            map = AttributeList(parsing: value)?.quoted("URI").map { MediaInitialization(uri: $0, keys: keys) }
            return map != nil
        case "EXT-X-PROGRAM-DATE-TIME":
            date = MediaTime(iso8601: value)
            return date != nil
        case "EXT-X-DATERANGE":
            guard let range = DateRange(text: value) else { return false }
            dateRanges.append(range)
        case "EXTINF":
            var scanner = TextScanner(value)
            guard let microseconds = scanner.decimal(places: 6), microseconds <= Self.longestDuration,
                scanner.isAtEnd || scanner.skip(",")
            else { return false }
            duration = SegmentDuration(value: microseconds, timescale: 1_000_000)
        case "EXT-X-BYTERANGE":
            byteRange = Self.byteRange(value)
            return byteRange != nil
        case "EXT-X-DISCONTINUITY": startsDiscontinuity = true
        case "EXT-X-GAP": isGap = true
        default:
            var cue = cue ?? BreakCue()
            if cue.take(tag: name, value: value) { self.cue = cue }
        }
        return true
    }

    /// A key takes the place of the one of its format, and METHOD=NONE, which has none, that of all (RFC 8216bis § 4.4.4.4).
    private mutating func take(key attributes: AttributeList) -> Bool {
        guard let key = EncryptionKey(attributes) else {
            keys = []
            return attributes.enumerated("METHOD") == "NONE"
        }
        if let index = keys.firstIndex(where: { $0.effectiveKeyFormat == key.effectiveKeyFormat }) {
            keys[index] = key
        } else {
            keys.append(key)
        }
        return true
    }

    private mutating func take(uri: String, line: PlaylistLine) throws(PlaylistParsingError) {
        guard let duration else { throw line.error(.unannouncedURI) }
        if let date, expectedDate == nil { dateBackwards(from: date) }
        let date = date ?? expectedDate
        if date == nil { undated += 1 }
        let range = try range(of: uri, line: line)
        var segment = MediaPlaylist.Segment(
            uri: uri,
            byteRange: range,
            duration: duration,
            programDateTime: date ?? .zero,
            isGap: isGap,
            startsDiscontinuity: startsDiscontinuity,
            keys: keys,
            map: map
        )
        (segment.dateRanges, segment.cue) = (dateRanges, cue)
        segments.append(segment)
        (dateRanges, cue) = ([], nil)
        expectedDate = date.map { $0 + duration.time }
        self.duration = nil
        self.date = nil
        byteRange = nil
        previous = range.map { (uri, $0.upperBound) }
        isGap = false
        startsDiscontinuity = false
    }

    /// `n[@o]` (RFC 8216bis § 4.4.4.2).
    private static func byteRange(_ value: Substring) -> (length: Int, offset: Int?)? {
        let parts = value.split(separator: "@", omittingEmptySubsequences: false)
        let numbers = parts.map { part in part.utf8.allSatisfy(\.isASCIIDigit) ? Int(part) : nil }
        switch numbers.count {
        case 1: return numbers[0].map { ($0, nil) }
        case 2:
            guard let length = numbers[0], let offset = numbers[1] else { return nil }
            return (length, offset)
        default: return nil
        }
    }

    /// The bytes that make the segment; one without offset continues where the one before it in the resource ended.
    private func range(of uri: String, line: PlaylistLine) throws(PlaylistParsingError) -> Range<Int>? {
        guard let (length, offset) = byteRange else { return nil }
        let malformed = line.error(.malformed(tag: "EXT-X-BYTERANGE"))
        let start = offset ?? previous.flatMap { $0.uri == uri ? $0.end : nil }
        guard let start else { throw malformed }
        let (end, overflows) = start.addingReportingOverflow(length)
        if overflows { throw malformed }
        return start..<end
    }

    /// Dates the segments before the first date: each starts its duration before the next.
    private mutating func dateBackwards(from date: MediaTime) {
        var date = date
        for index in segments.indices.prefix(undated).reversed() {
            date -= segments[index].duration.time
            segments[index].programDateTime = date
        }
        undated = 0
    }

    func finish(lastLine: Int) throws(PlaylistParsingError) -> MediaPlaylist {
        func missing(_ tag: String) -> PlaylistParsingError {
            PlaylistParsingError(line: lastLine, reason: .missing(tag: tag))
        }
        guard let targetDuration else { throw missing("EXT-X-TARGETDURATION") }
        guard undated == 0 else { throw missing("EXT-X-PROGRAM-DATE-TIME") }
        var playlist = MediaPlaylist(
            targetDuration: targetDuration,
            mediaSequence: mediaSequence,
            discontinuitySequence: discontinuitySequence,
            segments: segments,
            dateRanges: dateRanges,
            variables: variables,
            keyHint: keyHint,
            isIFramesOnly: isIFramesOnly,
            isEnded: isEnded
        )
        playlist.isOnDemand = isOnDemand
        return playlist
    }
}
