import MediaCore

/// A viewer's choice among the variants and renditions of a multivariant playlist, as the query of its URL states it:
/// `video-height=..720&audio-language=en,de`.
///
/// Each filter takes a list. A filter on numbers takes ranges: `720`, `480..720`, `..720`, `480..`, and `480-720`. The
/// filters of AWS MediaPackage are read as well, in their own form: `aws.manifestfilter=video_height:1-720`.
package struct MultivariantFilter: Hashable, Sendable {
    /// The values of the filters that the query has; none of them is empty.
    private(set) var selections: [Name: Selection] = [:]

    package enum Name: String, Hashable, Sendable, CaseIterable {
        /// Lines of the picture.
        case videoHeight = "video-height"
        /// BANDWIDTH of a variant.
        case videoBitrate = "video-bitrate"
        case frameRate = "frame-rate"
        /// `sdr`, `hlg` and `pq`, for which `hdr10` stands as well.
        case dynamicRange = "dynamic-range"
        case videoCodec = "video-codec"
        case audioCodec = "audio-codec"
        /// Codecs of audio and video; a kind without any is not filtered.
        case codec
        case audioLanguage = "audio-language"
        case audioChannels = "audio-channels"
        case subtitleLanguage = "subtitle-language"
    }

    enum Selection: Hashable, Sendable {
        /// Ranges in thousandths, in order.
        case numbers([ClosedRange<Int64>])
        /// Words in lower case.
        case words(Set<String>)
    }

    /// The most values of one filter.
    package static let mostValues = 32
    /// The most bytes of all filters of a query together.
    package static let longest = 1024

    /// True if there is no filter.
    package var isEmpty: Bool { selections.isEmpty }

    /// Reads the filters of a query; other parameters are ignored.
    ///
    /// - Parameter query: The query without its question mark, percent-encoded; nil if the URL has none.
    /// - Throws: ``FilterError`` if a filter is unknown, comes twice, or has invalid values.
    package init(query: Substring?) throws(FilterError) {
        guard let query, Self.mayBe(in: query) else { return }
        var byteCount = 0
        for (name, value) in QueryParameters(query) where Self.isFilter(name) {
            byteCount += name.utf8.count + value.utf8.count
            guard byteCount <= Self.longest else { throw .tooLong }
            guard let value = PercentEncoding.decoded(value) else { throw .malformed(Self.normalized(name)) }
            if name == Self.foreignName {
                for filter in value.split(separator: ";") { try take(foreign: filter) }
            } else {
                try take(Self.normalized(name), value)
            }
        }
    }

    /// Returns false if a query certainly has no filters.
    ///
    /// This is checked for many requests.
    package static func mayBe(in query: Substring) -> Bool {
        QueryParameters(query).contains { isFilter($0.name) }
    }

    /// The parameter in which AWS MediaPackage takes all filters: `name:values;name:values`.
    private static let foreignName = "aws.manifestfilter"
    /// The prefixes of names that are meant as filters, known or not.
    private static let prefixes = ["video-", "audio-", "subtitle-", "subtitles-", "trickplay-"]
    /// Names that other origins use.
    private static let synonyms: [String: Name] = [
        "video-framerate": .frameRate, "video-frame-rate": .frameRate, "video-dynamic-range": .dynamicRange,
    ]

    private static func isFilter(_ name: Substring) -> Bool {
        // The first letter rules out most parameters.
        guard let first = name.utf8.first, "vVaAsStTfFdDcC".utf8.contains(first) else { return false }
        if name == foreignName { return true }
        let name = normalized(name)
        return Name(rawValue: name) != nil || prefixes.contains { name.hasPrefix($0) }
    }

    /// Returns a name in lower case and with hyphens, as filters are spelled here.
    private static func normalized(_ name: some StringProtocol) -> String {
        name.lowercased().replacing("_", with: "-")
    }

    private mutating func take(foreign filter: Substring) throws(FilterError) {
        guard let colon = filter.firstIndex(of: ":") else { throw .malformed(Self.foreignName) }
        try take(Self.normalized(filter[..<colon]), String(filter[filter.index(after: colon)...]))
    }

    private mutating func take(_ text: String, _ value: String) throws(FilterError) {
        guard let name = Name(rawValue: text) ?? Self.synonyms[text] else { throw .unknown(text) }
        let values = value.split(separator: ",", omittingEmptySubsequences: false)
        guard values.count <= Self.mostValues else { throw .tooManyValues(name) }
        if name == .codec {
            let codecs = try Self.codecs(values, of: name)
            for (name, kind) in [(Name.videoCodec, CodecName.Kind.video), (.audioCodec, .audio)] {
                let words = codecs.filter { CodecName.kind(of: $0) == kind }
                if !words.isEmpty { try set(name, .words(Set(words))) }
            }
        } else {
            try set(name, try Self.selection(values, of: name))
        }
    }

    private mutating func set(_ name: Name, _ selection: Selection) throws(FilterError) {
        guard selections.updateValue(selection, forKey: name) == nil else { throw .repeated(name) }
    }

    private static func selection(_ values: [Substring], of name: Name) throws(FilterError) -> Selection {
        switch name {
        case .videoHeight, .videoBitrate, .frameRate, .audioChannels:
            let ranges = values.compactMap(NumberRange.read)
            guard ranges.count == values.count else { throw .malformed(name.rawValue) }
            return .numbers(ranges.sorted { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) })
        case .dynamicRange:
            let ranges = values.compactMap { dynamicRanges[$0.lowercased()] }
            guard ranges.count == values.count else { throw .malformed(name.rawValue) }
            return .words(Set(ranges.map(\.rawValue)))
        case .videoCodec, .audioCodec, .codec: return .words(Set(try codecs(values, of: name)))
        case .audioLanguage, .subtitleLanguage:
            let tags = values.map { $0.lowercased() }
            guard tags.allSatisfy(\.isLanguageTag) else { throw .malformed(name.rawValue) }
            return .words(Set(tags))
        }
    }

    private static func codecs(_ values: [Substring], of name: Name) throws(FilterError) -> [String] {
        let codecs = values.flatMap { CodecName.codecs(of: $0.lowercased()) }
        let kinds: Set<CodecName.Kind?> =
            switch name {
            case .videoCodec: [.video]
            case .audioCodec: [.audio]
            default: [.video, .audio]
            }
        guard !codecs.isEmpty, codecs.allSatisfy({ kinds.contains(CodecName.kind(of: $0)) }) else {
            throw .malformed(name.rawValue)
        }
        return codecs
    }

    private static let dynamicRanges: [String: VideoRange] = [
        "sdr": .standard, "hlg": .hlg, "pq": .pq, "hdr10": .pq,
    ]
}

/// Ranges of numbers as filters take them.
private enum NumberRange {
    /// Returns the range in thousandths; nil if the text is malformed, or the range is backwards.
    static func read(_ text: Substring) -> ClosedRange<Int64>? {
        let (low, high): (Substring, Substring)
        if let dots = text.firstRange(of: "..") {
            (low, high) = (text[..<dots.lowerBound], text[dots.upperBound...])
            if low.isEmpty, high.isEmpty { return nil }
        } else if let hyphen = text.firstIndex(of: "-") {
            (low, high) = (text[..<hyphen], text[text.index(after: hyphen)...])
            if low.isEmpty || high.isEmpty { return nil }
        } else {
            if text.isEmpty { return nil }
            (low, high) = (text, text)
        }
        guard let first = number(low) ?? (low.isEmpty ? 0 : nil),
            let last = number(high) ?? (high.isEmpty ? .max : nil), first <= last
        else { return nil }
        return first...last
    }

    private static func number(_ text: Substring) -> Int64? {
        var scanner = TextScanner(text)
        guard let thousandths = scanner.decimal(places: 3), scanner.isAtEnd else { return nil }
        return thousandths
    }
}

extension String {
    /// True if its characters are those of a language tag in lower case (RFC 5646 § 2.1).
    fileprivate var isLanguageTag: Bool {
        (1...35).contains(utf8.count)
            && utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0.isASCIIDigit || $0 == 0x2D }
    }
}
