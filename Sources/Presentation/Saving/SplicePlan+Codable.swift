import FoundationEssentials
package import MediaCore

/// The field names are the journal's format; times are ticks of 90 kHz from 1970 on, sections are in base 64.
extension SplicePlan: Codable {
    private enum CodingKeys: String, CodingKey {
        case splices, boundaries, posted
        case currentBreak = "cue"
    }

    /// - Throws: `DecodingError`, also if times are beyond reason.
    package init(from decoder: any Decoder) throws {
        self.init()
        let container = try decoder.container(keyedBy: CodingKeys.self)
        splices = try container.decodeIfPresent([Splice].self, forKey: .splices) ?? []
        let ticks = try container.decodeIfPresent([Int64].self, forKey: .boundaries) ?? []
        try container.check(ticks.allSatisfy(ClosedRange.sensible.contains), .boundaries)
        boundaries = ticks.map(MediaTime.init(ticks:))
        posted = try container.decodeIfPresent([String].self, forKey: .posted) ?? []
        currentBreak = try container.decodeIfPresent(String.self, forKey: .currentBreak)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        if !splices.isEmpty { try container.encode(splices, forKey: .splices) }
        if !boundaries.isEmpty { try container.encode(boundaries.map(\.ticks), forKey: .boundaries) }
        if !posted.isEmpty { try container.encode(posted, forKey: .posted) }
        try container.encodeIfPresent(currentBreak, forKey: .currentBreak)
    }
}

extension SplicePlan.Splice: Codable {
    private enum CodingKeys: String, CodingKey {
        case name, input, section, start, heard, cancelled, end
        case announcedStart = "told"
        case isOver = "over"
        case hasExactID = "exact"
    }

    /// - Throws: `DecodingError`, also if times are beyond reason.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            name: try container.decode(String.self, forKey: .name),
            input: try container.decode(String.self, forKey: .input),
            section: Array(try container.decode(Data.self, forKey: .section)),
            start: try container.decodeTime(forKey: .start),
            heard: try container.decodeTime(forKey: .heard)
        )
        if container.contains(.cancelled) { cancelled = try container.decodeTime(forKey: .cancelled) }
        if container.contains(.announcedStart) { announcedStart = try container.decodeTime(forKey: .announcedStart) }
        end = try container.decodeIfPresent(SplicePlan.End.self, forKey: .end)
        isOver = try container.decodeIfPresent(Bool.self, forKey: .isOver) ?? false
        hasExactID = try container.decodeIfPresent(Bool.self, forKey: .hasExactID) ?? false
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(input, forKey: .input)
        try container.encode(Data(section), forKey: .section)
        try container.encode(start.ticks, forKey: .start)
        try container.encode(heard.ticks, forKey: .heard)
        try container.encodeIfPresent(cancelled?.ticks, forKey: .cancelled)
        try container.encodeIfPresent(announcedStart?.ticks, forKey: .announcedStart)
        try container.encodeIfPresent(end, forKey: .end)
        try container.encodeIfPresent(isOver ? true : nil, forKey: .isOver)
        try container.encodeIfPresent(hasExactID ? true : nil, forKey: .hasExactID)
    }
}

extension SplicePlan.End: Codable {
    private enum CodingKeys: String, CodingKey {
        case time, heard, section
        case isAssumed = "assumed"
    }

    /// - Throws: `DecodingError`, also if times are beyond reason.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            time: try container.decodeTime(forKey: .time),
            heard: try container.decodeTime(forKey: .heard),
            section: try container.decodeIfPresent(Data.self, forKey: .section).map(Array.init),
            isAssumed: try container.decodeIfPresent(Bool.self, forKey: .isAssumed) ?? false
        )
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(time.ticks, forKey: .time)
        try container.encode(heard.ticks, forKey: .heard)
        try container.encodeIfPresent(section.map { Data($0) }, forKey: .section)
        try container.encodeIfPresent(isAssumed ? true : nil, forKey: .isAssumed)
    }
}
