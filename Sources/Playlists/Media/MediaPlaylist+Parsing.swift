import MediaCore

extension MediaPlaylist {
    /// Reads the text of a media playlist into its value.
    ///
    /// Tags that the value cannot hold are ignored. A segment without a date gets one from its
    /// neighbours (RFC 8216bis § 4.4.4.6).
    ///
    /// - Parameters:
    ///   - text: As it was received.
    ///   - values: The values of variables from the multivariant playlist or a query; other variables stay as they are
    ///     written.
    ///   - mayBeUndated: True if a playlist without any date is read as well, unless it has parts or date ranges; its
    ///     segments then count from 1970 (``isDated``).
    /// - Throws: ``PlaylistParsingError`` if a tag is malformed or misplaced, or a mandatory one is missing; also for
    ///   numbers so large that counting on from them would overflow.
    package init(
        parsing text: String,
        values: [String: String] = [:],
        mayBeUndated: Bool = false
    ) throws(PlaylistParsingError) {
        let lines = try PlaylistLine.lines(of: text, given: values)
        var parser = MediaPlaylistParser()
        for line in lines { try parser.take(line) }
        if mayBeUndated { parser.dateFromZero() }
        self = try parser.finish(lastLine: lines.last?.number ?? 1)
    }
}

private struct MediaPlaylistParser {
    /// The longest target duration in seconds, which is that of a segment as well.
    private static let longestTarget = 1_000_000

    private var targetDuration: Int?
    private var mediaSequence = MediaSequenceNumber(0)
    private var discontinuitySequence = 0
    private var segments: [MediaPlaylist.Segment] = []
    private var isIFramesOnly = false
    private var variables: [PlaylistVariable] = []
    private var keyHint: KeyHint?
    private var partTarget: MediaTime?
    private var serverControl: MediaPlaylist.ServerControl?
    private var hints: [MediaPlaylist.PreloadHint] = []
    /// Reports are read last: they may omit what the playlist itself says.
    private var reports: [(attributes: AttributeList, line: PlaylistLine)] = []
    private var skip: MediaPlaylist.Skip?
    private var isEnded = false
    private var isOnDemand = false
    private var isEvent = false
    private var hasVersion = false

    /// The keys in force for the segments that follow.
    private var keys: [EncryptionKey] = []
    private var map: MediaInitialization?

    /// Values for the next segment, from the lines since the last URI.
    private var duration: SegmentDuration?
    private var byteRange: ByteRangeText?
    private var date: MediaTime?
    private var isGap = false
    private var startsDiscontinuity = false
    private var dateRanges: [DateRange] = []
    private var cue: BreakCue?

    /// The segments that have parts and are not over; the date of the last may be unknown.
    private var open: [(segment: MediaPlaylist.OpenSegment, date: MediaTime?)] = []
    /// True if the next part is the first of its segment.
    private var beginsSegment = true
    /// The error if one of them is over: the tags of a segment stand above its parts (RFC 8216bis § 4.4.4.9).
    private var late: PlaylistParsingError?

    /// The resource of the segment before, and the end of its byte range.
    private var previous: (uri: String, end: Int)?

    /// The number of segments that wait for the first date.
    private var undated = 0
    private var expectedDate: MediaTime?
    private var isDated = true

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
            targetDuration = try line.count(value, of: name, upTo: Self.longestTarget)
            return targetDuration.map { $0 > 0 } ?? false
        case "EXT-X-MEDIA-SEQUENCE":
            guard let number = try line.count(value, of: name) else { return false }
            mediaSequence = MediaSequenceNumber(Int64(number))
        case "EXT-X-DISCONTINUITY-SEQUENCE":
            guard let count = try line.count(value, of: name) else { return false }
            discontinuitySequence = count
        case "EXT-X-SERVER-CONTROL":
            if serverControl != nil { throw line.error(.duplicate(tag: name)) }
            serverControl = AttributeList(parsing: value).flatMap(MediaPlaylist.ServerControl.init)
            return serverControl != nil
        case "EXT-X-PART-INF":
            if partTarget != nil { throw line.error(.duplicate(tag: name)) }
            partTarget = AttributeList(parsing: value)?.seconds("PART-TARGET")?.time
            return partTarget.map { $0 > .zero } ?? false
        case "EXT-X-SKIP":
            if skip != nil { throw line.error(.duplicate(tag: name)) }
            // Segments leave at the head.
            if !segments.isEmpty || !open.isEmpty { throw line.error(.late(tag: name)) }
            skip = AttributeList(parsing: value).flatMap(MediaPlaylist.Skip.init)
            return skip != nil
        case "EXT-X-PRELOAD-HINT": return AttributeList(parsing: value).map { take(hint: $0) } ?? false
        case "EXT-X-RENDITION-REPORT":
            guard let attributes = AttributeList(parsing: value) else { return false }
            reports.append((attributes, line))
        case "EXT-X-I-FRAMES-ONLY": isIFramesOnly = true
        case "EXT-X-ENDLIST": isEnded = true
        case "EXT-X-PLAYLIST-TYPE": (isOnDemand, isEvent) = (value == "VOD", value == "EVENT")
        case "EXT-X-STREAM-INF", "EXT-X-MEDIA", "EXT-X-I-FRAME-STREAM-INF", "EXT-X-SESSION-KEY", "EXT-X-SESSION-DATA":
            throw line.error(.misplaced(tag: name))
        case "EXT-X-KEY", "EXT-X-MAP", "EXT-X-PROGRAM-DATE-TIME", "EXT-X-DISCONTINUITY":
            if !beginsSegment { late = late ?? line.error(.late(tag: name)) }
            beginsSegment = true
            return take(segmentTag: name, value: value)
        default: return take(segmentTag: name, value: value)
        }
        return true
    }

    /// Takes a preload hint; an unknown TYPE is ignored (RFC 8216bis § 6.3.8).
    private mutating func take(hint attributes: AttributeList) -> Bool {
        guard let type = attributes.enumerated("TYPE") else { return false }
        guard let kind = MediaPlaylist.PreloadHint.Kind(rawValue: type) else {
            // If several have one TYPE, the first counts.
            keyHint = keyHint ?? KeyHint(attributes)
            return true
        }
        guard let hint = MediaPlaylist.PreloadHint(attributes, kind: kind) else { return false }
        if !hints.contains(where: { $0.kind == kind }) { hints.append(hint) }
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
            duration = SegmentDuration(decimalSeconds: scanner.take { $0 != UInt8(ascii: ",") })
            return duration != nil
        case "EXT-X-PART":
            guard let attributes = AttributeList(parsing: value) else { return false }
            return take(part: attributes)
        case "EXT-X-BYTERANGE":
            byteRange = ByteRangeText(value)
            return byteRange != nil
        case "EXT-X-DISCONTINUITY": startsDiscontinuity = true
        case "EXT-X-GAP": isGap = true
        default:
            var cue = cue ?? BreakCue()
            if cue.take(tag: name, value: value) { self.cue = cue }
        }
        return true
    }

    /// A key replaces that of its format, and METHOD=NONE, which has no format, replaces all (RFC 8216bis § 4.4.4.4).
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

    /// Begins a segment: the lines above its first part or its URI belong to it.
    private mutating func begin() {
        if let date, expectedDate == nil { dateBackwards(from: date) }
        let date = date ?? (open.isEmpty ? expectedDate : nil)
        let segment = MediaPlaylist.OpenSegment(
            programDateTime: date ?? .zero,
            startsDiscontinuity: startsDiscontinuity,
            keys: keys,
            map: map,
            parts: []
        )
        open.append((segment, date))
        (self.date, startsDiscontinuity, beginsSegment) = (nil, false, false)
    }

    private mutating func take(part attributes: AttributeList) -> Bool {
        if beginsSegment { begin() }
        let last = open.count - 1
        guard let part = MediaPlaylist.Part(attributes, after: open[last].segment.parts.last) else { return false }
        open[last].segment.parts.append(part)
        return true
    }

    private mutating func take(uri: String, line: PlaylistLine) throws(PlaylistParsingError) {
        guard let duration else { throw line.error(.unannouncedURI) }
        if let late { throw late }
        if beginsSegment { begin() }
        guard let (begun, date) = open.popLast() else { return }
        if date == nil { undated += 1 }
        let range = try range(of: uri, line: line)
        var segment = MediaPlaylist.Segment(
            uri: uri,
            byteRange: range,
            duration: duration,
            programDateTime: begun.programDateTime,
            isGap: isGap,
            startsDiscontinuity: begun.startsDiscontinuity,
            keys: begun.keys,
            map: begun.map
        )
        (segment.dateRanges, segment.cue, segment.parts) = (dateRanges, cue, begun.parts)
        segments.append(segment)
        (dateRanges, cue) = ([], nil)
        expectedDate = date.map { $0 + duration.time }
        self.duration = nil
        byteRange = nil
        previous = range.map { (uri, $0.upperBound) }
        isGap = false
        beginsSegment = true
    }

    /// The bytes of the segment.
    ///
    /// A range without offset begins where the last one in the resource ended.
    private func range(of uri: String, line: PlaylistLine) throws(PlaylistParsingError) -> Range<Int>? {
        guard let byteRange else { return nil }
        let end = previous.flatMap { $0.uri == uri ? $0.end : nil }
        guard let range = byteRange.range(after: end) else { throw line.error(.malformed(tag: "EXT-X-BYTERANGE")) }
        return range
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

    /// Dates the segments of a playlist without any date (RFC 8216bis § 4.4.5.1 wants dates beside date ranges).
    mutating func dateFromZero() {
        let hasRanges = !dateRanges.isEmpty || segments.contains { !$0.dateRanges.isEmpty }
        guard !segments.isEmpty, undated == segments.count, open.isEmpty, !hasRanges,
            segments.allSatisfy(\.parts.isEmpty)
        else { return }
        dateBackwards(from: segments.reduce(.zero) { $0 + $1.duration.time })
        isDated = false
    }

    func finish(lastLine: Int) throws(PlaylistParsingError) -> MediaPlaylist {
        func missing(_ tag: String) -> PlaylistParsingError {
            PlaylistParsingError(line: lastLine, reason: .missing(tag: tag))
        }
        guard let targetDuration else { throw missing("EXT-X-TARGETDURATION") }
        guard undated == 0, open.allSatisfy({ $0.date != nil }) else { throw missing("EXT-X-PROGRAM-DATE-TIME") }
        let hasParts = !open.isEmpty || segments.contains { !$0.parts.isEmpty }
        if hasParts, partTarget == nil { throw missing("EXT-X-PART-INF") }
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
        (playlist.isOnDemand, playlist.isEvent, playlist.isDated) = (isOnDemand, isEvent, isDated)
        (playlist.partTarget, playlist.serverControl) = (partTarget, serverControl)
        playlist.openSegments = open.map(\.segment)
        playlist.hints = hints
        playlist.skip = skip
        for (attributes, line) in reports {
            guard let report = MediaPlaylist.RenditionReport(attributes, newest: playlist.newest) else {
                throw line.error(.malformed(tag: "EXT-X-RENDITION-REPORT"))
            }
            playlist.reports.append(report)
        }
        return playlist
    }
}
