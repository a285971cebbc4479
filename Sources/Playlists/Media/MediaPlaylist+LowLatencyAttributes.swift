import MediaCore

extension MediaPlaylist.ServerControl: CustomStringConvertible {
    /// The attributes behind the tag's colon.
    package var description: String { attributes.description }

    var attributes: AttributeList {
        var list = AttributeList()
        list.append("CAN-BLOCK-RELOAD", flag: canBlockReload)
        list.append("CAN-SKIP-UNTIL", seconds: canSkipUntil.map(SegmentDuration.init(_:)))
        list.append("CAN-SKIP-DATERANGES", flag: canSkipDateRanges)
        list.append("HOLD-BACK", seconds: holdBack.map(SegmentDuration.init(_:)))
        list.append("PART-HOLD-BACK", seconds: partHoldBack.map(SegmentDuration.init(_:)))
        return list
    }

    /// Fails if an attribute is not a length of time, or date ranges can be skipped but no segments.
    init?(_ attributes: AttributeList) {
        let times = ["CAN-SKIP-UNTIL", "HOLD-BACK", "PART-HOLD-BACK"]
        guard times.allSatisfy({ !attributes.has($0) || attributes.seconds($0) != nil }) else { return nil }
        self.init(
            canSkipUntil: attributes.seconds("CAN-SKIP-UNTIL")?.time,
            canSkipDateRanges: attributes.flag("CAN-SKIP-DATERANGES"),
            holdBack: attributes.seconds("HOLD-BACK")?.time,
            partHoldBack: attributes.seconds("PART-HOLD-BACK")?.time,
            canBlockReload: attributes.flag("CAN-BLOCK-RELOAD")
        )
        if canSkipDateRanges, canSkipUntil == nil { return nil }
    }
}

extension MediaPlaylist.Part: CustomStringConvertible {
    /// The attributes behind the tag's colon.
    package var description: String { attributes.description }

    var attributes: AttributeList {
        var list = AttributeList()
        list.append("DURATION", seconds: duration)
        list.append("URI", quoted: uri)
        list.append("BYTERANGE", quoted: byteRange.map { "\($0.count)@\($0.lowerBound)" })
        list.append("INDEPENDENT", flag: isIndependent)
        list.append("GAP", flag: isGap)
        return list
    }

    /// Fails if the URI or a readable duration is missing, or the byte range names no bytes.
    ///
    /// - Parameters:
    ///   - attributes: The attributes of the tag.
    ///   - previous: The part before it in the same segment, where a byte range without offset begins.
    init?(_ attributes: AttributeList, after previous: Self?) {
        guard let uri = attributes.quoted("URI"), let duration = attributes.seconds("DURATION") else { return nil }
        var range: Range<Int>?
        if attributes.has("BYTERANGE") {
            let end = previous.flatMap { $0.uri == uri ? $0.byteRange?.upperBound : nil }
            range = attributes.quoted("BYTERANGE").flatMap(ByteRangeText.init)?.range(after: end)
            if range == nil { return nil }
        }
        self.init(
            uri: uri,
            byteRange: range,
            duration: duration,
            isIndependent: attributes.flag("INDEPENDENT"),
            isGap: attributes.flag("GAP")
        )
    }
}

extension MediaPlaylist.PreloadHint {
    var attributes: AttributeList {
        var list = AttributeList()
        list.append("TYPE", enumerated: kind.rawValue)
        list.append("URI", quoted: uri)
        list.append("BYTERANGE-START", decimal: byteRangeStart)
        list.append("BYTERANGE-LENGTH", decimal: byteRangeLength)
        return list
    }

    /// Fails if the URI is missing, or a byte range is not a number.
    init?(_ attributes: AttributeList, kind: Kind) {
        guard let uri = attributes.quoted("URI"),
            ["BYTERANGE-START", "BYTERANGE-LENGTH"].allSatisfy({
                !attributes.has($0) || attributes.decimalInteger($0) != nil
            })
        else { return nil }
        self.init(
            kind: kind,
            uri: uri,
            byteRangeStart: attributes.decimalInteger("BYTERANGE-START"),
            byteRangeLength: attributes.decimalInteger("BYTERANGE-LENGTH")
        )
    }
}

extension MediaPlaylist.RenditionReport {
    var attributes: AttributeList {
        var list = AttributeList()
        list.append("URI", quoted: uri)
        list.append("LAST-MSN", decimal: Int(lastSequence.value))
        list.append("LAST-PART", decimal: lastPart)
        return list
    }

    /// Fails if the URI is missing, or another attribute is not a number.
    ///
    /// - Parameters:
    ///   - attributes: The attributes of the tag.
    ///   - newest: The number of the reporting playlist's newest segment, which need not be repeated.
    init?(_ attributes: AttributeList, newest: MediaSequenceNumber?) {
        guard let uri = attributes.quoted("URI"),
            ["LAST-MSN", "LAST-PART"].allSatisfy({ !attributes.has($0) || attributes.decimalInteger($0) != nil }),
            let last = attributes.decimalInteger("LAST-MSN").map({ MediaSequenceNumber(Int64($0)) }) ?? newest
        else { return nil }
        self.init(uri: uri, lastSequence: last, lastPart: attributes.decimalInteger("LAST-PART"))
    }
}

extension MediaPlaylist.Skip {
    var attributes: AttributeList {
        var list = AttributeList()
        list.append("SKIPPED-SEGMENTS", decimal: segmentCount)
        list.append("RECENTLY-REMOVED-DATERANGES", tabSeparated: removedDateRanges)
        return list
    }

    /// The lowest protocol version that has it (RFC 8216bis § 8).
    var version: Int { removedDateRanges == nil ? 9 : 10 }

    /// Fails if the number of segments is missing, or counting on from it would overflow.
    init?(_ attributes: AttributeList) {
        guard let count = attributes.decimalInteger("SKIPPED-SEGMENTS"), count <= PlaylistLine.greatestNumber else {
            return nil
        }
        let removed = attributes.quoted("RECENTLY-REMOVED-DATERANGES")
        self.init(segmentCount: count, removedDateRanges: removed?.split(separator: "\t").map(String.init))
    }
}
