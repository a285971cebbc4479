import Playlists

/// The saved form of a date range: the attributes of its tag, always written alike.
struct SavedDateRange: Codable {
    let range: DateRange

    init(_ range: DateRange) { self.range = range }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let range = DateRange(text: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a date range")
        }
        self.range = range
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(range.text)
    }
}

/// The date ranges around a slot as they are saved.
struct SavedDateRanges: Codable {
    private var above: [SavedDateRange]?
    private var below: [SavedDateRange]?
    /// Lines of the EXT-X-CUE-OUT family.
    private var cue: String?

    /// Takes the lines to save; nil if there are none.
    init?(_ lines: DateRangeLines) {
        if lines.isEmpty { return nil }
        (above, below) = (lines.above.map(SavedDateRange.init), lines.below.map(SavedDateRange.init))
        cue = lines.cue?.lines
    }

    var lines: DateRangeLines {
        var lines = DateRangeLines(above: above?.map(\.range) ?? [], below: below?.map(\.range) ?? [])
        lines.cue = cue.flatMap { BreakCue(lines: $0) }
        return lines
    }
}
